import assert from "node:assert/strict";
import { test } from "node:test";
import { assertMapped } from "../../support/assertMapped.ts";
import { never } from "../workerProcess.ts";
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
