import assert from "node:assert/strict";
import { test } from "node:test";
import { assertMapped } from "../../support/assertMapped.ts";
import { never } from "../workerProcess.ts";
import { told } from "./everything.ts";
import { openPolicy } from "./openPolicy.ts";

const PEOPLE = `<title>People</title>
<section itemscope itemid="https://club.example/ada" itemtype="https://schema.org/Person">
	<h2 itemprop="name">Ada Berg</h2>
	<p>Born <time itemprop="birthDate" datetime="1970-08-21">21 August 1970</time> on <a itemprop="birthPlace" href="https://club.example/hallin">Hallin</a>.</p>
</section>
<section itemscope itemid="https://club.example/bo" itemtype="https://schema.org/Person">
	<h2 itemprop="name">Bo Dahl</h2>
	<p>Born <time itemprop="birthDate" datetime="1981-01-02">2 January 1981</time>.</p>
</section>
<ul><li itemscope itemid="https://club.example/cleo" itemtype="https://schema.org/Person"><b itemprop="name">Cleo Egge</b>, <time itemprop="birthDate" datetime="1991-05-30">30 May 1991</time></li></ul>
`;

const FILES = {
	"people.html": PEOPLE,
	"people.ttl":
		'@prefix s: <https://schema.org/> .\n<https://club.example/dirk> a s:Person ; s:name "Dirk Falk" ; s:birthDate "1955-12-03" ; s:knows <https://club.example/ada> .\n',
	"people.jsonld":
		'{"@context":{"@vocab":"https://schema.org/"},"@id":"https://club.example/eva","@type":"Person","birthDate":"1966-04-09","name":"Eva Gram"}\n',
	"fay.md":
		"---\nid: https://club.example/fay\ntype: Person\nname: Fay Holt\nbirthDate: 1944-07-06\n---\n\nFay sails.\n",
};

/** The example of the README. */
const POLICY = "policy: [{deny: {types: [Person], properties: [birthDate]}, channels: [mcp]}]\n";
const APPLIES = "A policy applies: hidden statements are not counted.";
const NAMES = ["Ada Berg", "Bo Dahl", "Cleo Egge", "Dirk Falk", "Eva Gram", "Fay Holt"];
const OPTIONS = { embedding: { provider: "none" } } as const;

test("a policy for a property leaves things in counts, lists and the graph, and says only that it applies", async (t) => {
	const { knowledge, graph } = await openPolicy(t, POLICY, FILES, OPTIONS);
	const query = "How many persons are there?";
	const counted = await knowledge.search({ query, door: "mcp" }, never);
	assert.equal(counted.listing?.total, NAMES.length);
	assertMapped(counted.listing?.items, ({ label }) => label, NAMES);
	assert.deepEqual([counted.notices[0], counted.extent], [APPLIES, "visible"]);
	assert.equal((await knowledge.search({ query, door: "chat" }, never)).extent, undefined);
	const totalAt = async (words: string, door: "mcp" | "chat") =>
		(await knowledge.search({ query: words, door }, never)).total;
	assert.deepEqual([await totalAt("Ada Berg", "mcp"), await totalAt("Ada 1970", "mcp")], [1, 0]);
	assert.deepEqual([await totalAt("Ada Berg", "chat"), await totalAt("Ada 1970", "chat")], [1, 1]);
	const sparql = "SELECT ?name { ?p a <https://schema.org/Person> ; <https://schema.org/name> ?name }";
	const { answer, notices, isPartial } = await graph.query({ sparql, door: "mcp" }, never);
	assert.ok(answer.kind === "rows" && answer.total === NAMES.length);
	assert.deepEqual([notices, isPartial], [[APPLIES], true]);
	const birthPlace = "ASK { ?p <https://schema.org/birthPlace> ?o }";
	const place = await graph.query({ sparql: birthPlace, door: "mcp" }, never);
	assert.deepEqual(place.answer, { kind: "boolean", value: true });
	const dates = "ASK { ?p <https://schema.org/birthDate> ?o }";
	for (const door of ["mcp", "chat"] as const) {
		const { answer } = await graph.query({ sparql: dates, door }, never);
		assert.deepEqual(answer, { kind: "boolean", value: door === "chat" });
	}
	const { parts } = await knowledge.read({ target: "people.html:4", door: "mcp" }, never);
	assert.equal(parts[0]?.text, "(hidden by policy)");
});

/** What the denied channel never states, and a text, whose names (and the last value) it still states. */
type Attack = readonly [secret: RegExp, text: string, kept?: string];
const ENDINGS: Readonly<Record<string, string>> = { "{": "jsonld", "<d": "html", "<r": "rdf", "<u": "ttl" };

/** Ways in which what stays on a hidden line could say the hidden value. */
const WAYS: Readonly<Record<string, Attack>> = {
	"a description that repeats the value": [
		/zork.4711/i,
		'<urn:ann> e:name "Ann One" ; e:salary "zork-4711" ; e:note "Ann earns ZORK 4711 a year" .',
	],
	"a short value among other words": [
		/grade q7/,
		'<urn:ben> e:name "Ben Two" ; e:salary "Q7" ; e:note "grade q7!" ; e:room "Q75" .',
		"Q75",
	],
	"the value with other marks between its parts": [
		/DE89/,
		'<urn:cat> e:name "Cat Three" ; e:account "DE89 3704 0044" ; e:note "pays from DE8937040044" .',
	],
	"a date in words": [
		/August 1970/,
		'{"@context":{"@vocab":"https://e.example/"},"@id":"urn:dee","name":"Dee Four","birthDate":"1970-08-21","note":"born on 21 August 1970","joined":"1999-01-01"}',
		"1999-01-01",
	],
	"an IRI of another thing that is made of the value": [
		/zork.{1,3}4712/i,
		'<urn:eli> e:name "Eli Five" ; e:salary "zork 4712" ; e:slip <https://e.example/slip/zork%204712/1> . <https://e.example/slip/zork%204712/1> e:kind "slip" .',
	],
	"another link between the same things, in either direction": [
		/knows|partnerOf/,
		'<urn:fin> e:spouse <urn:gil> ; e:knows <urn:gil> ; e:name "Fin Six" . <urn:gil> e:partnerOf <urn:fin> ; e:name "Gil Seven" .',
	],
	"a literal that has the IRI": [
		/hal\.zork/,
		'<urn:hal> e:email <mailto:hal.zork@e.example> ; e:note "Mail hal.zork@e.example" ; e:name "Hal Eight" .',
	],
	"the text around an element whose value is written otherwise": [
		/zork-ten/,
		'<div itemscope itemid="urn:ida"><b itemprop="name">Ida Nine</b><p itemprop="note">Ida earns <i itemprop="salary" content="10">zork-ten</i> a year</p></div>',
	],
	"text that is the hidden element's alone": [
		/zork-ten/,
		'<div itemscope itemid="urn:jon"><b itemprop="name">Jon Ten</b><p itemprop="note"><i itemprop="salary" content="10">zork-ten</i></p></div>',
	],
	"text around an element of a list in RDFa": [
		/zork-ten/,
		'<div vocab="https://e.example/" resource="urn:kim"><b property="name">Kim Eleven</b>\n<p property="note">Kim earns <i property="salary" inlist content="10">zork-ten</i></p></div>',
	],
	"a named thing nested under the property": [
		/zork-(?:12|C)/,
		'{"@context":{"@vocab":"https://e.example/"},"@id":"urn:lea","name":"Lea Twelve",\n"salary":{"@id":"urn:pay","amount":"zork-12","in":{"@id":"urn:cur","code":"zork-C"}}}',
	],
	"a named thing nested under the property on a page": [
		/zork-13/,
		'<div itemscope itemid="urn:mia"><b itemprop="name">Mia Thirteen</b>\n<p itemprop="salary" itemscope itemid="urn:pay2"><b itemprop="amount">zork-13</b></p></div>',
	],
	"a thing nested under the property from the other end": [
		/zork-14/,
		'{"@context":{"@vocab":"https://e.example/"},"@id":"urn:nia","name":"Nia Fourteen",\n"@reverse":{"salary":{"@id":"urn:pay3",\n"amount":"zork-14"\n}}}',
	],
	"a named thing nested in RDF/XML": [
		/zork-15/,
		'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="https://e.example/">\n<rdf:Description rdf:about="urn:ole"><e:name>Ole Fifteen</e:name>\n<e:salary><rdf:Description rdf:about="urn:pay4"><e:amount>zork-15</e:amount></rdf:Description></e:salary>\n</rdf:Description></rdf:RDF>',
	],
	"a value of pictures": [/★/, '<urn:pia> e:name "Pia Sixteen" ; e:salary "★★★★★" ; e:note "rated ★★★★★" .'],
	"the value in wide letters": [
		/zorka|ｚｏｒｋａ/,
		'<urn:qi> e:name "Qi Li" ; e:salary "zorka" ; e:note "ｚｏｒｋａ" .',
	],
};

const ATTACKS = Object.entries(WAYS).map(([name, [secret, text, kept]], index) => ({
	...{ name, secret, path: `${index}.${ENDINGS[text.slice(0, 2)] ?? ENDINGS[text.slice(0, 1)]}` },
	text: text.startsWith("<u") ? `@prefix e: <https://e.example/> .\n${text}\n` : `${text}\n`,
	kept: [...text.matchAll(/name\W+([A-Z]\w+ [A-Z]\w+)/g)].map(([, found = ""]) => found).concat(kept ?? []),
}));

const ATTACKED = Object.fromEntries(ATTACKS.map(({ path, text }) => [path, text]));

const DENIED =
	"policy: [{deny: {properties: [salary, account, birthDate, spouse, email]}, channels: [mcp]}]\n";

test("what stays does not say the hidden value in another form", async (t) => {
	const opened = await openPolicy(t, DENIED, ATTACKED, OPTIONS);
	const all = { sparql: "SELECT DISTINCT ?s { ?s ?p ?o }", limit: 1000, door: "chat" } as const;
	const { answer } = await opened.graph.query(all, never);
	const iris = answer.kind === "rows" ? answer.rows.map(({ s }) => s?.value ?? "") : [];
	const names = ATTACKS.flatMap(({ kept }) => kept);
	const files = ATTACKS.flatMap(({ path }) => [path, `${path}:1-9`]);
	const asking = {
		searches: ["zork", "salary", "urn:pay", "note", ...names],
		targets: [...files, ...names, ...iris],
		iris,
	};
	const [denied, allowed] = [await told(opened, "mcp", asking), await told(opened, "chat", asking)];
	for (const { name, secret, kept } of ATTACKS)
		await t.test(name, () => {
			assert.doesNotMatch(denied, secret);
			assert.match(allowed, secret);
			for (const word of kept) assert.ok(denied.includes(word), `${word} is hidden`);
		});
});
