import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { nameAt, type WrittenName } from "../../src/names/name.ts";
import { namesIn } from "../../src/names/names.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { documentOf } from "../support/documents.ts";
import { makeFolder } from "../support/folder.ts";
import { checkNames } from "./namedFiles.ts";

const SAMPLE = [
	...["data/vocabulary.ttl", "data/events.jsonld", "lights.html", "handbook/keepers-handbook.md"],
	"stories/history.md",
];

/** IRIs in a reader's statements that are not written in the file. */
const UNWRITTEN =
	/^file:|rdf-syntax-ns#|^https:\/\/schema\.org\/|^urn:copilot-ld:|^http:\/\/www\.w3\.org\/ns\/rdfa#/;

const read = (name: string, text: string) => namesIn({ uri: `file:///w/${name}`, text });

/** Names as `written iri`. */
const told = (name: string, text: string) =>
	read(name, text).names.map(({ iri, start, end }) => `${text.slice(start, end)} ${iri}`);

/** Files with late prefixes, entities, bases and striped elements. */
const ODD_FILES = {
	"a.jsonld": `{"@context": ["https://schema.org/", {"lamp": "ex:lamp/", "ex": "http://e.org/", "knows": {"@type": "@id"}}],
"@id": "lamp:l60", "@type": "Product", "name": "ex:text", "knows": ["ex:a", "ex:b"], "url": "http://u.org/"}`,
	"a.rdf": `<?xml version="1.0"?><!DOCTYPE rdf:RDF [<!ENTITY e "http://e.org/">]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="&e;v#" xmlns:E="http://E.org/" xml:base="http://b.org/d/">
<!-- <Lamp rdf:about="no"/> --><Lamp rdf:about="&e;l&amp;1" E:Note="&e;"><near rdf:resource="../x"/>
<E:near><rdf:Description rdf:ID="i"/></E:near><text rdf:parseType="Literal"><a rdf:about="no"/></text>
<parts rdf:parseType="Collection"><Part/></parts><has rdf:parseType="Resource"><size rdf:datatype="&e;int">1</size></has>
<rdf:type rdf:resource="#T"/></Lamp></rdf:RDF>`,
};

const inSample = (path: string) => [pathToFileURL(path).href, readFileSync(path, "utf8")] as const;
const odd = Object.entries(ODD_FILES).map(([name, text]) => [`file:///w/${name}`, text] as const);

for (const [uri, text] of [...SAMPLE.map((path) => inSample(`media/sample/${path}`)), ...odd])
	test(`every IRI that the reader of ${basename(uri)} states is found as a name in the text`, async () => {
		const found = new Set(namesIn({ uri, text }).names.map(({ iri }) => iri));
		const { quads } = await documentOf(uri, text);
		const terms = quads.flatMap(({ subject, predicate, object }) => [subject, predicate, object]);
		for (const { termType, value } of terms)
			assert.ok(termType !== "NamedNode" || found.has(value) || UNWRITTEN.test(value), value);
		for (const name of found) assert.doesNotMatch(name, /no$|^http:\/\/e\.org\/text$/);
	});

test("undeclared prefixes of a SPARQL query come from the ontology, and variables are not names", () => {
	const text = "SELECT ?x:y { ?x a m:Light ; s:name $n FILTER (?a < 3 && ?b > 2) }";
	const known = new Map([["m", "http://m.org/"]]);
	const { names } = namesIn({ uri: "file:///w/q.rq", text, known });
	assertMapped(names, ({ iri }) => iri, ["http://m.org/Light"]);
	assert.equal(names[0]?.spell("http://m.org/Lamp"), "m:Lamp");
	assert.equal(names[0]?.spell("http://n.org/Lamp"), "<http://n.org/Lamp>");
});

test("a JSON-LD term is also renamed in its definition", () => {
	const text = `{"@context": {"v": "http://e.org/", "near": {"@id": "v:near", "@type": "@id"}}, "near": "v:near", "v:near": ""}`;
	const { names } = read("a.jsonld", text);
	const renamed = (to: string) => names.map(({ spell }) => spell(to)).join(" ");
	assert.equal(renamed("http://e.org/beside"), "beside v:beside beside v:beside v:beside");
	assert.equal(renamed("http://f.org/1"), "near http://f.org/1 near http://f.org/1 http://f.org/1");
});

test("an RDF/XML name is spelled with the prefixes, entities and default namespace in scope", () => {
	const text = ODD_FILES["a.rdf"];
	const spelled = (written: string, iri: string) =>
		nameAt(read("a.rdf", text).names, text.indexOf(written))?.spell(iri);
	assert.equal(spelled('Lamp rdf:about="&', "http://e.org/v#Light"), "Light");
	assert.equal(spelled('Lamp rdf:about="&', "http://n.org/v#Light"), 'ns1:Light xmlns:ns1="http://n.org/v#"');
	assert.equal(spelled("Lamp></rdf", "http://n.org/v#Light"), "ns1:Light");
	assert.equal(spelled("E:Note", "http://n.org/v#Light"), 'xmlns:ns1="http://n.org/v#" ns1:Light');
	assert.equal(spelled("&e;l&amp;1", "http://e.org/a&b"), "&e;a&amp;b");
	assert.equal(spelled('Lamp rdf:about="&', "http://n.org/123"), undefined);
});

test("names of an HTML page are found in microdata, RDFa, JSON-LD scripts and links, but not in comments", () => {
	const text = `<!-- <a href="x"> --><div itemscope itemtype="http://s.org/A" itemid="#me"><b itemprop="name">x</b>
<i itemprop="knows" itemscope itemtype="http://t.org/v#B"><u itemprop="p">y</u></i><b itemprop="q">z</b></div>
<p prefix="ex: http://e.org/" about="ex:s" typeof="ex:T" property="ex:p"></p>
<script type="application/ld+json">{"@id": "http://j.org/1"}</script><script>"http://no.org/"</script><a href='b.html?x=1&amp;y=2'>`;
	assertMapped(read("a.html", text).names, ({ iri }) => iri, [
		...["http://s.org/A", "file:///w/a.html#me", "http://s.org/name", "http://s.org/knows"],
		...["http://t.org/v#B", "http://t.org/v#p", "http://s.org/q"],
		...["http://e.org/s", "http://e.org/T", "http://e.org/p", "http://j.org/1"],
		"file:///w/b.html?x=1&y=2",
	]);
});

test("headings, blocks and tags of a Markdown note are names, but not in code", () => {
	const fence = "```\r\n# no ^no #no\r\n```";
	const text = [
		...["---", "tags: [Pets/Dogs, 7]", "tag: x", "---", "# A *b* `c` ^id", "Setext", "===", "## A b c ##"],
		...["- item #t1 #2 ^b-1", fence, "#t2 `#no` a#no [[#`c` d]] [[x#A#B|w]]", "^own", "x ^2 y"],
	].join("\r\n");
	const short = told("n.md", text).map((one) => one.replace("file:///w/", "").replace("urn:copilot-ld:", ""));
	assert.deepEqual(short, [
		...["Pets/Dogs tag:pets/dogs", "x tag:x", "A *b* `c` n.md#A%20*b*%20%60c%60", "id n.md#%5Eid"],
		...["Setext n.md#Setext", "A b c n.md#A%20b%20c-1", "t1 tag:t1", "b-1 n.md#%5Eb-1", "t2 tag:t2"],
		...["`c` d n.md#%60c%60%20d", "x x.md", "A x.md#A", "B x.md#B", "own n.md#%5Eown"],
	]);
});

const IN_EACH_SYNTAX = {
	"a.ttl": "@prefix l: <https://e.org/id/> . l:x l:x <https://e.org/id/x> .",
	"a.rq": "PREFIX l: <https://e.org/id/> SELECT * { l:x ?p <https://e.org/id/x> }",
	"a.jsonld": `{"@context": {"l": "https://e.org/id/", "at": {"@id": "urn:at", "@type": "@id"}}, "@id": "l:x", "at": "https://e.org/id/x"}`,
	"a.html": `<i itemscope itemid="https://e.org/id/x"></i><a href='https://e.org/id/x'></a>
<p prefix="l: https://e.org/id/" about="l:x" typeof="l:x" property="l:x"></p>`,
	"a.rdf": `<!DOCTYPE r [<!ENTITY l "https://e.org/id/">]><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:l="https://e.org/id/">
<l:x rdf:about="https://e.org/id/x" l:x="" xml:base="https://e.org/id/"><l:x rdf:resource='&l;x'/><l:x rdf:resource="x"></l:x></l:x></rdf:RDF>`,
	"a.md": "---\nid: https://e.org/id/x\n---\n[a](https://e.org/id/x) <https://e.org/id/x>",
};

/** Renames a name and requires that it is read back. Skips closing tags, which change with their opening tags. */
function requireReadAgain(
	file: string,
	text: string,
	to: string,
	{ iri, start, end, spell }: WrittenName,
): void {
	const spelled = iri.endsWith("/id/x") && text[start - 1] !== "/" ? spell(to) : undefined;
	if (spelled === undefined) return;
	const { names } = read(file, text.slice(0, start) + spelled + text.slice(end));
	// In RDF/XML, the spelling may include the declaration of a new prefix.
	const [, word = spelled] = /(?:^| )(ns1:\S+)/.exec(spelled) ?? [];
	const at = start + spelled.indexOf(word);
	const again = nameAt(names, at);
	assert.deepEqual([again?.iri, again?.end], [to, at + word.length], `${file}: ${spelled}`);
}

test("a name with unusual characters is spelled so that reading returns the name, or is not spelled", () => {
	const locals = "Zo%C3%AB Zoë a'b a(b) a,b;c a&amp;b=c a&copy=1 a#b a.b. -x a/b a:b 😀 [a] a$b*c_d!";
	const more = " &lt;script&gt; a% a@b x?a=1&b .. e\u0301 ";
	const odd = [
		"https://e.org/id/a b",
		"urn:a\n",
		...'urn:x:é mailto:a@b.c HTTPS://E.org/y urn:"a" urn:<a>'.split(" "),
	];
	const iris = (locals + more).split(" ").map((local) => `https://e.org/id/${local}`);
	for (const iri of iris.concat(odd))
		for (const [file, text] of Object.entries(IN_EACH_SYNTAX))
			for (const name of read(file, text).names) requireReadAgain(file, text, iri, name);
});

test("an incomplete file has the names before its end", () => {
	const { names } = read("a.jsonld", '{"@id": "http://e.org/a", "@type": "http://e.org/T", "x');
	assertMapped(names, ({ iri }) => iri, ["http://e.org/a", "http://e.org/T"]);
	const turtle = told("a.ttl", '@prefix s: <http://s.org/> . s:a s:b "open');
	assert.deepEqual(turtle, ["s:a http://s.org/a", "s:b http://s.org/b"]);
	assert.deepEqual(told("a.html", '<a href="x.html">x</a><b itemprop="'), ["x.html file:///w/x.html"]);
});

test("names of files with endless brackets, tags and quotes are read in linear time", () => {
	const many = (text: string) => text.repeat(100_000);
	const html = many('<a "');
	const texts = { ttl: many("<"), html, md: many("[["), jsonld: many("["), rdf: `<r ${many('a="')}` };
	for (const [ending, text] of Object.entries(texts)) assert.deepEqual(read(`a.${ending}`, text).names, []);
});

test("every name in files of eight formats is found at its position and can be renamed, but none in comments", async (t) => {
	await checkNames(await makeFolder(t), 3000, 1);
});
