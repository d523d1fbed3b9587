import assert from "node:assert/strict";
import { test } from "node:test";
import { assertNone } from "../../support/assertNone.ts";
import { listed } from "../../support/listed.ts";
import { never } from "../workspace.ts";
import { CONFIG, openPolicy, questionsThatDiffer, told } from "./openPolicy.ts";
import { createFolders } from "./randomFolders.ts";

const PREFIXES = `@prefix s: <https://schema.org/> . @prefix v: <urn:v#> . @prefix e: <https://e.example/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
`;

/** Files, each named after a way in which it could reveal a hidden value. */
const HIDING: Readonly<Record<string, string>> = {
	"note-repeats.ttl": '<urn:ann> e:name "Ann One" ; e:salary "zork-4711" ; e:note "Ann earns ZORK 4711" .',
	"iri-text.ttl": '<urn:hal> e:email <mailto:hal.zork@e.ex> ; e:note "hal.zork@e.ex" ; e:name "Hal Eight" .',
	"around-element.html":
		'<title>Bio</title>\n<div itemscope itemtype="http://schema.org/Person" itemid="urn:bea">\n<b itemprop="name">Bea Borg</b>\n<p itemprop="description">Bea earns\n<i itemprop="salary" content="10">zork-ten</i> a year.</p>\n</div>\n',
	"element-alone.html":
		'<div itemscope itemid="urn:jon"><b itemprop="name">Jon Ten</b><p itemprop="note"><i itemprop="salary" content="10">zork-ten</i></p></div>',
	"list-in-rdfa.html":
		'<div vocab="https://e.example/" resource="urn:kim"><b property="name">Kim Eleven</b>\n<p property="note">Kim earns <i property="salary" inlist content="10">zork-ten</i></p></div>',
	"nested.jsonld":
		'{"@context":{"@vocab":"https://e.example/"},"@id":"urn:lea","name":"Lea Twelve",\n"salary":{"@id":"urn:pay1","amount":"zork-12","in":{"@id":"urn:cur","code":"zork-C"}}}',
	"nested.html":
		'<div itemscope itemid="urn:mia"><b itemprop="name">Mia Thirteen</b>\n<p itemprop="salary" itemscope itemid="urn:pay2"><b itemprop="amount">zork-13</b></p></div>',
	"nested-reversed.jsonld":
		'{"@context":{"@vocab":"https://e.example/"},"@id":"urn:nia","name":"Nia Fourteen",\n"@reverse":{"salary":{"@id":"urn:pay3",\n"amount":"zork-14"\n}}}',
	"nested.rdf":
		'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="https://e.example/">\n<rdf:Description rdf:about="urn:ole"><e:name>Ole Fifteen</e:name>\n<e:salary><rdf:Description rdf:about="urn:pay4"><e:amount>zork-15</e:amount></rdf:Description></e:salary>\n</rdf:Description></rdf:RDF>',
	"pictures.ttl": '<urn:pia> e:name "Pia Sixteen" ; e:salary "★★★★★" ; e:note "rated ★★★★★" .',
	"wide-letters.ttl": '<urn:qi> e:name "Qi Li" ; e:salary "zorka" ; e:note "ｚｏｒｋａ" .',
	"nested.md": "---\nname: Nested Nora\nsalary:\n  amount: zork-1\n  per: year\n---\n\nNora rows.\n",
	"tagged.md": "---\nname: Tagged Tom\ntags: [zork-7]\n---\n\nTom rows.\n",
	"titled.md": "---\nheadline: zork-8\nrole: cook\n---\n\nThe cook bakes bread.\n",
	"old-http.ttl": '<urn:dan> s:name "Dan Dahl" ;\n <http://example.org/pay> "zork-11" ;\n e:boat "Petrel" .',
	"sub/HR/plan.md": "# Plan\n\nThe zork-12 plan.\n",
	"Lo\u0308hne/liste.md": "# Liste\n\nDie zork-13.\n",
	"nameless.jsonld":
		'{\n"@context": {"ex": "https://example.org/"},\n"@id": "urn:bank",\n"ex:salary": {\n"ex:kind": "bank",\n"ex:iban": "zork-14"\n},\n"ex:city": "Visby"\n}\n',
	"graph.trig": '<urn:g> {\n<urn:eve> <https://example.org/salary> "zork-15" ;\n<urn:v#city> "Sund" .\n}\n',
	"reified.ttl": `<urn:st> rdf:subject <urn:shown> ; rdf:predicate v:salary ; rdf:object "zork-1" .`,
	"annotated.ttl": `[] owl:annotatedSource <urn:shown> ; owl:annotatedProperty v:salary ; owl:annotatedTarget "zork-1" .`,
	"value-node.ttl": `<urn:a> v:salary <urn:pay> .\n<urn:pay> rdf:value "zork-1" ;\n s:unitText "zork-2" .`,
	"subproperty.ttl": `v:base rdfs:subPropertyOf v:pay . v:pay rdfs:subPropertyOf v:salary .\n<urn:b> v:base "zork-1" .`,
	"same-property.ttl": `v:salary owl:equivalentProperty v:wage .\n<urn:c> v:wage "zork-1" .`,
	"subclass.ttl": `v:Mole rdfs:subClassOf v:Spy . v:Spy rdfs:subClassOf v:Secret .\n<urn:d> a v:Mole ; s:name "zork-1" .`,
	"same-class.ttl": `v:Secret owl:equivalentClass v:Hush .\n<urn:e> a v:Hush ; s:name "zork-1" .`,
	"unnamed-class.ttl": `<urn:f> a [ rdfs:subClassOf v:Secret ] ; s:name "zork-1" .`,
	"same-thing.ttl": `<urn:u> a v:Secret .\n<urn:h> owl:sameAs <urn:i> .\n<urn:u> owl:sameAs <urn:h> .\n<urn:i> s:name "zork-1" .`,
	"triple-term.ttl": `<< <urn:shown> v:salary "zork-1" >> s:author <urn:shown> .`,
	"title.html":
		'<title>zork-1 at home</title>\n<div itemscope itemtype="https://schema.org/Secret" itemid="urn:j">\n<b itemprop="name">zork-1</b></div>\n<p>Lit.</p>\n',
	"whole-note.md": "---\ntype: secret\n---\n\n# zork-1\n\nzork-2 keeps bees.\n",
	"field.md": "# Gus\n\nGus rows. salary:: zork-1\n\nGus (salary:: zork-2) and paints [salary:: zork-3].\n",
	"item.md": "# Gia\n\n- salary:: zork-1\n",
	"section.md": "# Staff\n\n## Otto\n\n- type: Secret\n- name: zork-1\n",
	"people.json": '{"people": [{"name": "Ned",\n"salary": "zork-1"},\n{"type": "Secret", "name": "zork-2"}]}',
	"lines.ttl": '<urn:amy> v:award """Medal of\nthe zork-42 order""" ;\n s:name "Amy Alm" .',
	"address.ttl": '<urn:bob> s:address [ s:streetAddress "Zork Street" ] ; s:jobTitle "Keeper of the lamp" .',
	"class-elsewhere.ttl": '<urn:j> v:boat "zork-43" .\n<urn:rock> s:name "Gannet Rock" ; s:employee <urn:j> .',
	"kv/bonus.html":
		'<p>Dusk.</p>\n<div itemscope itemtype="https://schema.org/Person" itemid="urn:ivo"><b itemprop="name">Ivo Ibsen</b>\n<i itemprop="bonus" itemscope itemtype="urn:v#Amount"><b itemprop="value">zork-815</b></i></div>\n',
	"anchor.yaml": "pay: &pay\n  amount: 1\nperson:\n  name: Fay\n  salary:\n    - *pay\n    - zork-1\n",
};

const HIDDEN = /.{0,60}(?:zork|ｚｏｒｋ|★).{0,20}/gi;

const KEPT = listed(`
	Ann One|Hal Eight|Bea Borg|Jon Ten
	Kim Eleven|Lea Twelve|Mia Thirteen|Nia Fourteen|Ole Fifteen|Pia Sixteen|Qi Li|Nested Nora|cook|Dan Dahl
	Petrel|Visby|Sund|Gus|Gia|Ned|Fay|Quill|Oslo|Oil for|Amy Alm|Keeper of the lamp|Gannet Rock|Ivo Ibsen|Dusk
	bonus of others
`);

const POLICY = `exclude: [.copilot-ld/]
policy:
  - deny: {properties: [salary, email, tags, headline, award, address, "https://example.org/pay"]}
    channels: [mcp]
  - deny: {types: [Secret]}
    channels: [mcp]
  - deny: {paths: [./sub/hr/**, "L\u00f6hne/"]}
    channels: [mcp]
  - deny: {paths: ["kv/*.html"], types: [person], properties: [bonus]}
    channels: [mcp]
`;

const SHOWN = {
	"shown.ttl": `${PREFIXES}<urn:shown> s:name "Quill" ; s:worksFor <urn:office> .\n<urn:office> s:city "Oslo" .\n`,
	"bonus.ttl": `${PREFIXES}<urn:eva> a s:Person ; v:bonus "bonus of others" .\n`,
	"plain.md": "# Oil\n\nOil for the lamp of Gannet Rock.\n",
};

const ASKED = [
	...listed('"zork"|zork-2|salary|urn:pay|note|Nora salary amount zork|Bea description zork'),
	...listed('Dan "Petrel" zork|city "zork" Visby|how many things have zork|list all with zork'),
	...[...KEPT, { query: "zork", types: ["Person"] }, { query: "zork", sources: ["old-http.ttl"] }],
	...[{ query: "zork", index: "descriptor" } as const, { query: "Visby city zork", threshold: 0.5 }],
	{ query: "Dan Petrel zork", maxTokens: 100 },
];

const SPARQL = [
	'ASK { ?s ?p ?o FILTER(CONTAINS(STR(?o), "zork")) }',
	'SELECT (COUNT(*) AS ?n) { ?s ?p ?o FILTER(REGEX(STR(?o), "zork", "i")) }',
	'SELECT (COUNT(?v) AS ?n) { ?s ?p ?o BIND(IF(CONTAINS(STR(?o), "zork"), 1, 1/0) AS ?v) }',
	"SELECT ?s { ?s <urn:copilot-ld:frontmatter:salary.amount> ?o }",
];

test("no question reveals a hidden value in any format, and questions still find visible values", async (t) => {
	const hiding = Object.entries(HIDING).map(([path, text]) => {
		return [path, path.endsWith(".ttl") ? `${PREFIXES}${text}\n` : text] as const;
	});
	const opened = await openPolicy(t, POLICY, { ...Object.fromEntries(hiding), ...SHOWN });
	const all = { sparql: "SELECT DISTINCT ?s { ?s ?p ?o }", limit: 1000, channel: "chat" } as const;
	const { answer } = await opened.graph.query(all, never);
	const iris = answer.kind === "rows" ? answer.rows.map(({ s }) => s?.value ?? "") : [];
	const files = Object.keys(HIDING).flatMap((path) => [path, `${path}:1-50`]);
	const others = listed("zork-8|zork|hr/plan|sub/hr/plan.md|L\u00f6hne");
	const asking = { searches: ASKED, targets: [...files, ...others, ...KEPT, ...iris], iris, sparql: SPARQL };
	const [denied, allowed] = [await told(opened, "mcp", asking), await told(opened, "chat", asking)];
	assertNone(denied.match(HIDDEN) ?? []);
	for (const name of KEPT) assert.ok(denied.includes(name), `${name} is not told`);
	for (const [path, text] of hiding)
		for (const [secret] of text.matchAll(/zork[-\w]*|ｚｏｒｋａ|★+/gi))
			assert.ok(allowed.includes(secret), `${secret} of ${path} is hidden from all`);
});

test("a question without a valid channel is not answered", async (t) => {
	const { connection } = await openPolicy(t, POLICY, SHOWN);
	for (const [method, params] of [
		["copilot-ld/knowledge/search", { query: "Quill" }],
		["copilot-ld/knowledge/search", { query: "Quill", channel: "owner" }],
		["copilot-ld/knowledge/read", { target: "plain.md" }],
		["copilot-ld/graph/query", { sparql: "ASK {}" }],
		["copilot-ld/graph/check", { sparql: "ASK {}" }],
		["copilot-ld/graph/ontology", {}],
	] as const)
		await assert.rejects(connection.sendRequest(method, { args: [params] }), /must name its channel/, method);
});

test("an edit of a file or policy changes the visible words at once", async (t) => {
	const file = (boat: string) => `<urn:dan> <urn:v#pay>\n"zorkmid" ;\n<urn:v#boat> "${boat}" .\n`;
	const policy = "policy: [{deny: {properties: [pay]}, channels: [mcp]}]\n";
	const { knowledge, index, workspace } = await openPolicy(t, policy, { "a.ttl": file("Petrel") });
	const found = async (query: string) => {
		const { hits } = await knowledge.search({ query, channel: "mcp" }, never);
		return hits.filter(({ why }) => why.text).map(({ path }) => path);
	};
	assert.deepEqual(await found("Petrel"), ["a.ttl"]);
	await workspace.write({ "a.ttl": file("Puffin") });
	await index();
	assert.deepEqual([await found("Petrel"), await found("Puffin")], [[], ["a.ttl"]]);
	await workspace.write({ [CONFIG]: policy.replace("pay", "boat") });
	assert.deepEqual([await found("Puffin"), await found("zorkmid")], [[], ["a.ttl"]]);
});

for (const [seed, name, options] of [
	[1, "in memory", {}],
	[2, "without vectors", { embedding: { provider: "none" } }],
	[3, "by LanceDB's indexes", { storage: { memoryMb: 0 } }],
] as const)
	test(`folders that differ only in hidden content give equal answers to searches ${name}`, async (t) => {
		const { folders, ...asking } = createFolders(seed);
		assertNone(await questionsThatDiffer(t, folders, { ...asking, options }));
	});
