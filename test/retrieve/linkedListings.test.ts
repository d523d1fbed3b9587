import assert from "node:assert/strict";
import { test } from "node:test";
import { assertMapped } from "../support/assertMapped.ts";
import { times } from "../support/times.ts";
import { labelsAndLinesOf, listingIn, type Texts, testListings } from "./listingIn.ts";

const BREWERY = {
	"beers.ttl": `@prefix : <https://brew.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Beer rdfs:label "Beer" . :Brewer rdfs:label "Brewer" . :Pub rdfs:label "Pub" . :Seasonal rdfs:label "Seasonal" .
:gold a :Beer ; rdfs:label "Harrow Gold" ; :brewedBy :edith ; :firstBrewed 1998 ; :rangeNauticalMiles 21 .
:plum a :Beer, :Seasonal ; rdfs:label "Plum Fair" ; :brewedBy :priya ; :firstBrewed 2014 ; :rangeNauticalMiles 18 .
:cold a :Beer ; rdfs:label "Cold Harbour" ; :brewedBy :edith ; :firstBrewed 2021 ; :rangeNauticalMiles 24 .
:edith a :Brewer ; rdfs:label "Edith Calloway" ; :born 1961 ; :livesIn "Penmoor" .
:priya a :Brewer ; rdfs:label "Priya Nair" ; :born 1988 ; :trainedUnder :edith ; :livesIn "Saltby" .
:jonas a :Brewer ; rdfs:label "Jonas Weber" ; :born 1990 ; :trainedUnder :priya ; :livesIn "Berlin" .
:anchor a :Pub ; rdfs:label "The Anchor" ; :opened 1921 ; :serves :gold, :plum, :cold .
:kettle a :Pub ; rdfs:label "The Copper Kettle" ; :opened 1892 ; :serves :gold .
`,
	"bikes.csv":
		"bike_id,model,home_station,kilometres\nB101,Heron,S1,18450\nB102,Heron,S1,17210\nB103,Mule,S2,9870\n",
	"repairs.csv": "repair_id,bike_id,fault\nR1,B101,spoke\nR2,B101,chain\nR3,B103,tyre\n",
	"stations.json":
		'[{ "id": "S1", "name": "Central Station", "district": "Old Town" }, { "id": "S2", "name": "Quay", "district": "Docks" }]',
	"mitglieder.ttl": `@prefix : <https://verein.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Wagen rdfs:label "Wagen"@de . :Halle rdfs:label "Halle"@de .
:anna a :Wagen ; rdfs:label "Anna" ; :standort :schuppen ; :hersteller :krenz ; :dienstgewicht 38 .
:emil a :Wagen ; rdfs:label "Emil" ; :standort :schuppen ; :hersteller :krenz ; :dienstgewicht 22 .
:schuppen a :Halle ; rdfs:label "Rundschuppen"@de . :krenz rdfs:label "Krenzwerke" ; :sitz "Altenroda" .
`,
};

/** Expected items; empty if the question is not understood, or asks for more than the graph has. */
const ASKED: Texts = {
	"Who trained the brewer of Plum Fair?": "Edith Calloway 8, Priya Nair 5",
	"When was Calloway born?": "1961 7",
	"Which pub serves the fewest beers?": "The Copper Kettle 11",
	"Which brewer brewed the most beers?": "Edith Calloway 4",
	"Which beers are seasonals?": "Plum Fair 5",
	"How many seasonal beers are there?": "Plum Fair 5",
	"Which beers were first brewed after 2010?": "Cold Harbour 6, Plum Fair 5",
	"In which district is the home station of bike B103?": "Docks 1, S2 4",
	"How many bikes have Central Station as their home station?": "B101 2, B102 3",
	"Which bike had the most repairs?": "B101 2",
	"Welcher Wagen ist der schwerste?": "Anna 4",
	"In welcher Stadt hat der Hersteller von Emil seinen Sitz?": "Altenroda 6, Krenzwerke 5",
	"Which brewers brewed no Plum Fair?": "Edith Calloway 7, Jonas Weber 9",
	"Which brewers are in Weber?": "",
	"Who trained all brewers of Harrow Gold?": "",
	"What does Calloway do for a living?": "",
	"Where was the brewer of Plum Fair born?": "",
	"When did the brewer of Plum Fair die?": "",
	"Which beers are pubs?": "",
	"Which pub that opened after 1900 serves the most beers?": "",
};

/** Objects with several names, columns of 0 and 1, decimals, and tables of the same things. */
const ATLAS = {
	"nations.json": `[
{ "name": { "common": "Arcania", "official": "Republic of Arcania" }, "independent": true,
  "currencies": { "ARC": { "name": "Arcan crown" } }, "capital": ["Arca"], "former": ["Independent Union"] },
{ "name": { "common": "Borland", "official": "Kingdom of Borland" }, "independent": false,
  "currencies": { "BOR": { "name": "Borish pound" } }, "capital": ["Bor"], "former": ["Independent Borland"] },
{ "name": { "first": "Cora", "last": "Lund" }, "capital": [] }]`,
	"candy-data.csv":
		"brand,nougat,bar,writer,score\nFlip,1,1,Yes,34.722\nFudge Cup,0,1,Unknown,84.18029\nDrops,0,0,No,22.4\n",
	"driving-side.json": `[{ "land": "Arcania", "side": "left" },
{ "land": "Borland", "side": "right" },
{ "land": "Corvia", "side": "left" }]`,
	"currency.json": `[{ "land": "Corvia", "currency_name": "Corvian mark", "currency_code": "COM" },
{ "land": "Dunia", "currency_name": "Dunian franc", "currency_code": "DUF" }]`,
	"planets.json": `{ "planets": [
{ "planet": "Tavo", "moons": ["Ilo", "Una"], "phase": "gas" },
{ "planet": "Ustra", "moons": ["Moon"], "phase": "rock" },
{ "planet": "Venn", "moons": [], "phase": "gas" }] }`,
	"2014/grounds.json": `{ "grounds": [
{ "name": "Old Field", "seats": 700 },
{ "name": "Low Park", "seats": 300 }] }`,
	"2018/grounds.json": `{ "grounds": [
{ "name": "New Field", "seats": 900 },
{ "name": "High Park", "seats": 400 }] }`,
	"losses.csv": `Region,Number of drivers of whom the ministry knows that they were in a collision with another vehicle,Fee
North,18.8,784
South,14.1,697
`,
};

const ASKED_OF_ATLAS: Texts = {
	"What is the currency of Corvia?": "Corvian mark 1",
	"Which candies are not bars?": "Drops 4",
	"Which candy has the highest score?": "Fudge Cup 3",
	"Which planet has the most moons?": "Tavo 2",
	"Which planets have no moons?": "Venn 4",
	"How many gases are there?": "Tavo 2, Venn 4",
	"Which ground takes the most seats?": "New Field 2",
	// These must not be listed.
	"Which candies have no writer?": "",
	"What was the old fee in South?": "",
	"What is the capital of the neighbor of Borland?": "",
	"Which ground in 2016 has the most seats?": "",
};

for (const [what, files, asked] of [
	["linked data list things by links and names", BREWERY, ASKED],
	["objects and tables list things by keys and columns", ATLAS, ASKED_OF_ATLAS],
] as const)
	testListings(`questions about ${what}, and nothing if they are unclear`, files, asked, labelsAndLinesOf);

test("a question without an answer takes milliseconds among 5,000 lists and 10,000 properties", async () => {
	const sections = times(
		5000,
		(at) => `## Service ${at} types\n- size ${at}: ${at} kB\n- rate${at} limit: 5\n`,
	);
	const list = await listingIn({ "limits.md": `# Limits\n\n${sections.join("\n")}` });
	const question =
		"What are the two service types of subnets for balancers with the rate limit of the size types?";
	list(question);
	const since = process.cpuUsage();
	for (let round = 0; round < 5; round++) list(question);
	const { user, system } = process.cpuUsage(since);
	assert.ok((user + system) / 5000 < 150, `${(user + system) / 5000} ms`);
});

test("the value of one file is found among rows with the same name in 30 files, in any order of the files", async () => {
	const files = times(30, (index) => [
		`by-key-${index}.json`,
		`[{"country":"Chad","key${index} size":${index}},{"country":"Mali","key${index} size":${index + 40}}]`,
	]);
	for (const all of [files, files.toReversed()]) {
		const list = await listingIn(Object.fromEntries(all));
		for (const index of [0, 15, 29]) {
			const found = list(`What is the key${index} size of Chad?`);
			assertMapped(found?.items ?? [], ({ label }) => label, [`${index}`]);
		}
	}
});
