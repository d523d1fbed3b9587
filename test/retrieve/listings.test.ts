import assert from "node:assert/strict";
import { test } from "node:test";
import { listingIn, MEMBERS, type Texts, testListings } from "./listingIn.ts";

const PREFIXES = `@prefix : <https://press.example/> .
@prefix platform: <https://press.example/id/platform/> .
@prefix s: <https://schema.org/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix wd: <http://www.wikidata.org/entity/> .
@prefix wdt: <http://www.wikidata.org/prop/direct/> .
`;

const GRAPHS = {
	books: `:ida a s:Person ; s:name "Ida Holm" ; s:nationality "Danish" ; s:birthPlace :ribe .
:ole a s:Person ; s:name "Ole Krag" ; s:nationality "Norwegian" ; s:description "Wrote books and reviews." ; s:knows :ida .
:tove a s:Person ; s:name "Tove Lind" ; s:nationality "Danish" ; s:knows :ole .
:ribe a s:City ; s:name "Ribe" .
:fog a s:Book ; s:name "Fog" ; s:author :ida ; s:publisher :marsk ; s:genre "Crime" ; s:numberOfPages 210 ; s:datePublished "1999-02-01" .
:dunes a s:Book ; s:name "Dunes" ; s:author :ida ; s:publisher :tide ; s:genre "Crime" ; s:numberOfPages 90 .
:gale a s:Book ; s:name "Gale" ; s:author :ole ; s:publisher :tide ; s:about :ida .
:marsk a s:Organization ; s:name "Marsk & Son" ; s:parentOrganization :tide .
:tide a s:Organization ; s:name "Tide Press" ; :acquired :marsk .
:surf a s:Organization ; s:name "Surf" ; :acquired :tide .
:r1 a s:Review ; s:itemReviewed :fog ; s:author :tove ; s:reviewRating 4 .
:trial a s:MedicalTrial ; s:name "Lamp trial" ; s:status "not recruiting" .
:post a s:BlogPosting ; s:name "On fog" ; s:author :tove .`,
	people: `:ann a foaf:Person ; foaf:name "Ann" ; foaf:interest :chess ; foaf:currentProject :north ; :reportsTo :dee .
:bob a foaf:Person ; foaf:name "Bob" ; foaf:interest :chess, :rowing ; foaf:pastProject :north ; :reportsTo :dee .
:dee a foaf:Person ; foaf:name "Dee" ; foaf:made :report .
:chess a :Hobby ; foaf:name "Chess" . :rowing a :Hobby ; foaf:name "Rowing" .
:north a foaf:Project ; foaf:name "North" ; :state "closed" . :south a foaf:Project ; foaf:name "South" ; :state "active" .
:team a foaf:Group ; foaf:name "Core Team" ; foaf:member :ann, :bob .
:report a foaf:Document ; foaf:title "Report" ; dct:license :cc ; dct:subject "chess", "clubs" .
:cc a dct:LicenseDocument ; dct:title "CC BY 4.0" .
:animals a skos:Concept ; skos:prefLabel "Animals"@en, "Tiere"@de . :dogs a skos:Concept ; skos:prefLabel "Dogs"@en ; skos:broader :mammals ; skos:inScheme :all .
:mammals a skos:Concept ; skos:prefLabel "Mammals"@en ; skos:broader :animals ; skos:inScheme :all .
:all a skos:ConceptScheme ; skos:prefLabel "Creatures" ; skos:hasTopConcept :animals .
platform:forge a s:SoftwareApplication ; s:name "Forge" ; s:softwareRequirements platform:hub, :legacy .
platform:hub a :Service ; s:name "Hub" . :legacy a :Thing ; s:name "Legacy" .`,
	films: `wd:P31 rdfs:label "instance of"@en . wd:P57 rdfs:label "director"@en . wd:P161 rdfs:label "cast member"@en .
wd:Q1 rdfs:label "film"@en . wd:Q2 rdfs:label "human"@en .
wd:Q3 wdt:P31 wd:Q1 ; rdfs:label "The Pier"@en ; wdt:P57 wd:Q5 ; wdt:P161 wd:Q6 .
wd:Q4 wdt:P31 wd:Q1 ; rdfs:label "Ebb"@en ; wdt:P57 wd:Q6 .
wd:Q5 wdt:P31 wd:Q2 ; rdfs:label "Mona Berg"@en . wd:Q6 wdt:P31 wd:Q2 ; rdfs:label "Nils Dahl"@en .`,
	ships: `:ada a :Ship ; rdfs:label "Ada" ; :builtBy :alfa ; :ownedBy :x ; :flag "Malta" ; :captain :nina .
:bea a :Ship ; rdfs:label "Bea" ; :builtBy :beta ; :ownedBy :y ; :flag "Panama" .
:cleo a :Ship ; rdfs:label "Cleo" ; :builtBy :alfa ; :ownedBy :y ; :flag "Malta" ; :formerOwner :x .
:alfa a :Shipyard ; rdfs:label "Alfa Yard" ; :country :poland . :beta a :Shipyard ; rdfs:label "Beta Yard" ; :country :korea .
:x a :Company ; rdfs:label "X Line" ; :country :korea . :y a :Company ; rdfs:label "Y Line" ; :country :poland .
:poland a :Country ; rdfs:label "Poland" . :korea a :Country ; rdfs:label "Korea" . :nina a :Person ; rdfs:label "Nina" .`,
	works: `:max a :Manager ; rdfs:label "Max Fox" ; :hasManager :dora . :dora a :Manager ; rdfs:label "Dora Lamb" .
:ada a :Employee ; rdfs:label "Ada Wolf" ; :hasManager :max ; :memberOf :production ; :expertise :coil .
:ben a :Employee ; rdfs:label "Ben Hart" ; :hasManager :max ; :memberOf :production .
:cleo a :Employee ; rdfs:label "Cleo Lynx" ; :hasManager :dora ; :memberOf :sales .
:production a :Department ; rdfs:label "Production" . :sales a :Department ; rdfs:label "Sales" .
:coil a :ProductCategory ; rdfs:label "Coil" . :norden a :Supplier ; rdfs:label "Norden" . :delta a :Supplier ; rdfs:label "Delta" .
:p1 a :Product ; rdfs:label "X1 Coil" ; :category :coil ; :hasProductManager :max ; :hasSupplier :norden ; :width_mm 40 ; :weightKg 5 ; :state "certified" ; :compatibleProduct :p2 .
:p2 a :Product ; rdfs:label "X90 Meter" ; :hasSupplier :delta ; :mentions :delta ; :width_mm 80 ; :compatibleProduct :p1 .
:p3 a :Product ; rdfs:label "Coil" ; :hasSupplier :delta ; :width_mm 60 ; :weightKg 4.5 ; :state "not yet certified" ; :run 30 .
:p4 a :Product ; rdfs:label "Small Fan" ; :width_mm 30 . :p5 a :Product ; rdfs:label "Small Coil Box" ; :width_mm 20 .
:n1 a :Note ; rdfs:label "First note" ; :about :norden . :n2 a :Note ; rdfs:label "Second note" ; :about :n1 ; :keywords "norden, fog" .`,
	cup: `:ann :plays_in_club :fox ; :plays_for_country :peru . :bea :plays_in_club :elk ; :plays_for_country :peru ; :wears_number 9 .
:fox :is_in_country :chad . :elk :is_in_country :peru ; :plays_in_club_inverse :bea .
:kim :knows_person :ann ; :lives_in :oslo . :ann :lives_in :oslo .`,
	club: `${MEMBERS}:society a :Club ; rdfs:label "Analytical Society" . :navy a :Club ; rdfs:label "The Navy" .`,
	verein: `:Mitglied rdfs:label "Mitglied"@de . :Druck rdfs:label "Druck"@de . :Buch rdfs:label "Buch"@de . :Kunde rdfs:label "Kunde"@de .
:mitgliedIn rdfs:label "Mitglied in"@de . :kennt rdfs:label "kennt"@de . :autor rdfs:label "Autor"@de . :farbe rdfs:label "Farbe"@de .
:chor a :Verein ; rdfs:label "Chor" . :eva a :Mitglied ; rdfs:label "Eva Kern" ; :mitgliedIn :chor ; :kennt :max .
:max a :Mitglied ; rdfs:label "Max Thal" ; :kennt :eva . :d1 a :Druck ; rdfs:label "Blatt" .
:b1 a :Buch ; rdfs:label "Nebel" ; :autor :eva ; :farbe "rot" . :b2 a :Buch ; rdfs:label "Ebbe" ; :autor :max ; :kunde :k1 .
:k1 a :Kunde ; rdfs:label "Nordbau" . :k2 a :Kunde ; rdfs:label "Südbau" .`,
};

/** Expected items; empty if a number could be wrong. */
const ASKED: Readonly<Record<keyof typeof GRAPHS, Texts>> = {
	books: {
		"Which books are about Ida Holm?": "Gale",
		"Which books did Ida Holm publish?": "",
		"Which books by Ida Holm were published by Tide Press?": "Dunes",
		"Which books did Ida Holm and Ole Krag write?": "",
		"Which people know Ole Krag?": "Tove Lind",
		"Which people are known by Ole Krag?": "Ida Holm",
		"Which organizations acquired Tide Press?": "Surf",
		"Which organizations have a parent organization?": "Marsk & Son",
		"Who are the authors of the books?": "Ida Holm, Ole Krag",
		"Which people wrote reviews of all books?": "",
		"Which trials are recruiting?": "",
	},
	people: {
		"How many members does the Core Team have?": "Ann, Bob",
		"Which documents are licensed under CC BY 4.0?": "Report",
		"Which concepts are broader than Dogs?": "Mammals",
		"Which concepts does Mammals have?": "",
		"How many concepts are in Creatures?": "Dogs, Mammals",
		"Which platforms does Forge depend on?": "Hub",
	},
	films: { "Which films were directed by Mona Berg?": "The Pier" },
	ships: {
		"Which ships are owned by companies in Korea?": "Ada",
		"Which ships are owned by all companies in Korea?": "",
		"Which ships were built by shipyards in Poland and Korea?": "",
	},
	works: {
		"Who does Max Fox manage?": "Ada Wolf, Ben Hart",
		"Which suppliers supply products in the category Coil?": "Norden",
		"Which employees of Production do not have expertise in Coil?": "Ben Hart",
		"Which products run for less than 20 min?": "",
		"Which products are not certified yet?": "",
		"Which products are about Delta?": "",
		"Which is wider, Small Fan or Coil?": "Coil, Small Fan",
	},
	club: {
		"How many people work for the Navy?": "Alan Turing, Grace Hopper",
		"How many members do not work for the Navy?": "Ada Byron",
		"How many people are older than Ada Byron?": "",
		"Which people is Ada Byron mother of?": "Ralph Gordon Noel",
		"How many people are there?": "",
		"Which people does the Navy work for?": "",
		"How many members who pay their dues late lose their seats again?": "",
	},
	cup: {
		"Which clubs are in Chad?": "fox",
		"Which players play for Peru and in Elk?": "bea",
		"Which persons live in Oslo?": "",
		"Which clubs are in Togo?": "",
	},
	verein: {
		"Welche Drucker gibt es?": "",
		"Welche Bücher hat Eva Kern nicht geschrieben?": "Ebbe",
		"Welche Kunden ohne Buch gibt es?": "",
		"Wie viele Mitglieder sind im Chor oder in Nordbau?": "",
	},
};

for (const [name, turtle] of Object.entries(GRAPHS))
	testListings(
		`questions about ${name} list exactly the things that the graph states, or nothing`,
		{ [`${name}.ttl`]: PREFIXES + turtle },
		ASKED[name as keyof typeof GRAPHS],
	);

test("a listing describes in words what its items have in common", async () => {
	const list = await listingIn({ "club.ttl": PREFIXES + GRAPHS.club });
	assert.equal(list("list all persons")?.what, "Person");
	assert.equal(list("How many people work for the Navy?")?.what, "Person linked with “The Navy” (worksFor)");
	const without = list("How many members do not work for the Navy?");
	assert.equal(without?.what, "Member not linked with “The Navy” (worksFor)");
});
