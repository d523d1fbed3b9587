import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { formatEvidence, formatListing } from "../../src/core/knowledge/evidence.ts";
import { createPropertyNames, fitIn } from "../../src/retrieve/entities/propertyFit.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { times } from "../support/times.ts";
import { indexFiles } from "./filesIndex.ts";
import { MEMBERS } from "./listingIn.ts";

const PREFIXES =
	"@prefix : <https://club.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .";

const FILES: Readonly<Record<string, string>> = {
	"people.ttl": `${PREFIXES}
${MEMBERS}`,
	"places.ttl": `${PREFIXES}
:society a :Club ; rdfs:label "Analytical Society" ; :seat [ a :Room ; rdfs:label "Blue Room" ; :floor "third" ] .
:navy a :Club ; rdfs:label "The Navy" .
`,
	"rules.md": "# Rules\n\nMembers pay dues in May.\n\nGuests sign the book.\n",
};

async function openClub(t: TestContext, { isReady = true, files = FILES } = {}) {
	const { search } = await indexFiles(t, files, { isReady });
	const never = new AbortController().signal;
	return (query: string, options = {}) => search({ query, ...options }, never);
}

const PATHS = {
	"Who is the employer of Ada Byron?": "Ada Byron",
	"the employer of Ada Byron?": "Ada Byron → worksFor → Analytical Society",
	"colleagues of Grace Hopper": "Grace Hopper → worksFor → The Navy ← worksFor ← Alan Turing",
	"Analytical Society": "Analytical Society → seat → Blue Room",
	"anything about Wilmslow": "“Wilmslow” ← livesIn ← Alan Turing",
};

for (const [query, found] of Object.entries(PATHS))
	test(`the query “${query}” has a hit with the path “${found}”`, async (t) => {
		const { hits } = await (await openClub(t))(query);
		const paths = hits.filter(({ why }) => why.entity).map(({ via }) => via);
		assert.ok(paths.includes(found), paths.join("\n"));
	});

test("filters by source and class apply to hits of the graph", async (t) => {
	const search = await openClub(t);
	const places = await search("Ada Byron", { sources: ["places.ttl"] });
	assert.deepEqual(new Set(places.hits.map(({ path }) => path)), new Set(["places.ttl"]));
	const clubs = await search("Ada Byron", { types: ["club"] });
	assertMapped(clubs.hits, ({ title }) => title, ["Club Analytical Society"]);
});

test("a hit shows the names of linked resources, with the files and lines that state these names", async (t) => {
	const search = await openClub(t);
	const { hits } = await search("Ada Byron");
	assert.match(hits[0]?.text ?? "", /^works for: Analytical Society$/m);
	assertMapped(hits[0]?.others ?? [], ({ path, lines, text }) => [path, lines, text], [
		["places.ttl", { start: 2, end: 2 }, "name: Analytical Society"],
		["people.ttl", { start: 5, end: 5 }, "name: Ralph Gordon Noel"],
	]);
});

test("each of several queries, and each part of a query, has its own listing", async (t) => {
	const search = await openClub(t);
	const told = ({ listing, otherListings = [] }: Awaited<ReturnType<typeof search>>) =>
		[listing, ...otherListings].map((one) => one && `${one.total} × ${one.what}`);
	const queries = ["When to pay?", "Which clubs are there?", "How many clubs are there?", "how many rooms"];
	const given = await search("How many guests are there?", { queries });
	assert.deepEqual(told(given), ["2 × Guest", "2 × Club", "1 × Room"]);
	const parts = "How many guests are there, and how many clubs are there?";
	assert.deepEqual(told(await search(parts)), [undefined, "2 × Guest", "2 × Club"]);
});

test("each listed resource cites the lines that say most about it", async (t) => {
	const stub = `${PREFIXES}:deal :with :navy . :navy rdfs:label "The Navy" .`;
	const search = await openClub(t, { files: { "deals.ttl": stub, ...FILES } });
	const { listing } = await search("how many clubs");
	const citationAt = (line: number) => ({ path: "places.ttl", lines: { start: line, end: line } });
	assert.deepEqual(listing?.items, [
		{ label: "Analytical Society", iri: "https://club.example/society", citation: citationAt(2) },
		{ label: "The Navy", iri: "https://club.example/navy", citation: citationAt(3) },
	]);
});

test("a long listing shows 20 resources and the number of others", async (t) => {
	const rooms = times(25, (index) => `:r${index} a :Room ; rdfs:label "Room ${index}" .`);
	const search = await openClub(t, { files: { "rooms.ttl": `${PREFIXES}${rooms.join("\n")}` } });
	const { listing } = await search("How many rooms are there?");
	assert.ok(listing);
	assert.deepEqual([listing.total, listing.items.length, listing.truncated], [25, 20, true]);
	assert.match(formatListing(listing), /25 × Room.*\n(- .*\n){20}- and 5 more$/);
});

test("until the graph is read, a search uses words only and says so", async (t) => {
	const search = await openClub(t, { isReady: false });
	const { hits, notices, listing } = await search("How many members pay dues?");
	assert.equal(hits[0]?.path, "rules.md");
	assert.equal(listing, undefined);
	assert.match(notices.join(), /graph is still being read/);
});

test("a query that is only a phrase requires the phrase, unless no passage has it", async (t) => {
	const search = await openClub(t);
	const { hits } = await search('"sign the book"');
	assert.ok(hits.length === 1 && hits[0]?.text.includes("sign the book"));
	assert.ok((await search('who of the guests signs "sign the book"')).hits.length > 1);
	const without = await search('"book the sign"');
	assert.deepEqual(without.hits, (await search("book the sign")).hits);
	assert.ok(without.hits.length > 0);
	assert.match(without.notices.join(), /Nothing contains “book the sign” word for word/);
});

/** Records of drugs, and mentions of the same drugs in other files. */
const DRUGS: Readonly<Record<string, string>> = {
	"a-mentions.ttl":
		PREFIXES +
		["Zetafen", "Omnicor", "Lumivax"]
			.map((name) => ` :${name.toLowerCase()} a :Drug ; rdfs:label "${name}" .`)
			.join(""),
	"b-records.ttl": `${PREFIXES}
:zetafen a :Drug ; rdfs:label "Zetafen" ; :mechanism "Blocks the uptake of salt in the second loop of the kidney, so that more water leaves the body than before, and the pressure in the vessels falls within hours of the first dose of the day." .
:omnicor a :Drug ; rdfs:label "Omnicor" ; :mechanism "Slows the heart by closing channels." .
:lumivax a :Drug ; rdfs:label "Lumivax" ; :mechanism "Trains cells to know a virus." .
`,
	"c-price.ttl": `${PREFIXES}\n:zetafen rdfs:label "Zetafen" ; :price "forty crowns" .`,
};

test("statements of several files about a resource are one hit, with the longest record first", async (t) => {
	const search = await openClub(t, { files: DRUGS });
	const { hits } = await search("What is the mechanism of Zetafen?");
	const about = hits.filter(({ iri }) => iri === "https://club.example/zetafen");
	assert.equal(about.length, 1);
	const [hit] = about;
	assert.equal(hit?.path, "b-records.ttl");
	assert.match(hit.text, /Blocks the uptake of salt/);
	assert.match(formatEvidence(hit), /\n\[c-price\.ttl:2\] price: forty crowns$/);
	assert.equal(hit.others?.length, 1);
});

test("a resource with only a name ranks below passages about it", async (t) => {
	const files = {
		"a.ttl": `${PREFIXES}:making a :Department ; rdfs:label "Making" .\n`,
		"b.md": "# Lamps\n\nMaking turns brass into lamps.\n",
		"c.ttl": `${PREFIXES}:vera a :Member ; rdfs:label "Vera" ; :jobTitle "Director, Making IT" .\n`,
	};
	const search = await openClub(t, { files });
	const first = async (query: string) => (await search(query)).hits[0]?.path;
	for (const query of ["What does Making do with brass?", "Making"]) assert.equal(await first(query), "b.md");
	for (const query of ["What is for IT?", "Who directs Making?"]) assert.equal(await first(query), "c.ttl");
});

test("a property fits a question in other words only if their vectors are near", () => {
	const vectors = new Map([
		["https://club.example/near", Float32Array.of(0.7, 0.71)],
		["https://club.example/far", Float32Array.of(0.5, 0.87)],
	]);
	const names = { ...createPropertyNames(), vectorOf: (iri: string) => vectors.get(iri) };
	const fitOf = fitIn({ words: ["dues"], vector: Float32Array.of(1, 0) }, names);
	const fits = [...vectors.keys(), "https://club.example/hasDues"].map((iri) => fitOf(iri).toFixed(2));
	assert.deepEqual(fits, ["0.70", "0.00", "1.00"]);
});

test("each resource that a query names has a hit, even with a low limit", async (t) => {
	const notes = times(9, (index) => [
		`note-${index}.md`,
		`# Mechanism ${index}\n\nCompare the mechanism of Zetafen with the mechanism of others, note ${index}.\n`,
	]);
	const search = await openClub(t, { files: { ...DRUGS, ...Object.fromEntries(notes) } });
	const { hits } = await search("Compare the mechanism of Zetafen, Omnicor and Lumivax", { limit: 4 });
	const iris = hits.flatMap(({ iri = "" }) => iri.split("/").at(-1) || []).sort();
	assert.deepEqual(iris, ["lumivax", "omnicor", "zetafen"]);
	assert.equal(hits.length, 4);
});
