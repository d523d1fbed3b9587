import { test } from "node:test";
import { assertMapped } from "../support/assertMapped.ts";
import { labelsAndLinesOf, listingIn, type Texts, testListings } from "./listingIn.ts";

const BOATS = {
	"boats/boats.csv": `name,built,length m,price EUR,harbour,stock
Sandpiper,1987,7.4,18500,Wexmouth,0
Gannet,2004,9.1,42000,Port Ellery,2
Dunlin,1999,6.2,12900,Wexmouth,1
Petrel,2016,8.3,51000,Wexmouth,0
`,
	"boats/harbour.md": `# Harbour day

## To do
- [x] print the map
- [ ] borrow the big tent
- [ ] ask Maud for the key

## Helpers

| who | task | from |
|---|---|---|
| Maud | crane | 08:00 |
| Tobias | tickets | 09:30 |
`,
	"boats/crew.json": `[{ "name": "Ada Holm", "boat": "Gannet", "paid_by": "Maud", "joined": "2021-05-02" },
{ "name": "Ole Krag", "boat": "Petrel", "paid_by": "Tobias", "joined": "2019-03-11" }]
`,
	"boats/rib.md": "# Inflatable boat\n\nSeats 6 · 45 minutes\n\nReady soon.\n",
	"boats/tender.md": "# Old tender\n\nSeats 4 · 1 h 30 min · Skipper: Ida Moss\n\nReady late.\n",
	"boats/classes.html":
		'<div itemscope itemtype="https://schema.org/Course" itemid="https://a.example/classes#knots"><b itemprop="name">Knots</b></div>\n<div itemscope itemtype="https://schema.org/Course" itemid="https://a.example/classes#tides"><b itemprop="name">Tides</b></div>\n',
	"boats/yachts.md": `## Yachts

| Yacht | Insured | Full | Berth | Pages | Owner | Rigged | Towed | Mended | Painted |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
| Skua | yes | 120 | A | 3 | Ida Moss | ✓ | x | ✓ | no |
| Tern | no | 90 | B | 8 | Ole Krag | ✗ | | x | |

## Rechnungen

| Rechnung | Betrag | Geprüft | Fällig am | Status |
| --- | --- | --- | --- | --- |
| R-1 | 120 € | ja | 03.02.2024 | offen |
| R-2 | 80 € | nein | 12.05.2024 | bezahlt |
| R-3 | 950 € | ja | 28.11.2023 | offen |
`,
	"boats/crane.md": "# Crane\n\n## The lift condition\n\n- arm is up\n- hook is empty\n",
	"boats/helpers.csv": "who,task\nTobias,tickets\nNils,music\n",
	"boats/stores.csv":
		'part,on hand,minimum on hand,used for,supplied by\nrope,3,5,"deck, mast",Otto Lind\npaint,4,2,hull,Vera Moe\ntar,1,1,hull,Otto Lind\n',
	"boats/parcels.csv": "parcel,age,postage,length,waist length\nA,3,5,2 m,90 kg\nB,9,5,1 m,80 kg\n",
	"boats/artikel.csv": "Artikel,Bestand,Mindestbestand,Ort\nLeim,1,3,Regal 2\nLack,6,2,Regal 1\n",
};

/** Expected items with their lines; empty if a number could be wrong. */
const ASKED_OF_BOATS: Texts = {
	"Which boats are not in Wexmouth?": "Gannet 3",
	"Which boats are out of stock?": "Petrel 5, Sandpiper 2",
	"Which takes longer to make ready, the tender or the inflatable boat?": "Old tender 3, Inflatable boat 3",
	"Which classes are there?": "Knots 1, Tides 2",
	"What is still to do for the harbour day?": "ask Maud for the key 6, borrow the big tent 5",
	"What did Maud pay for?": "Ada Holm 1",
	"How many insured yachts are there?": "Skua 5",
	"How many boats can Wexmouth have?": "",
	"What are the conditions of the crane?": "",
	"Welche Rechnungen sind geprüft und haben einen Betrag über 500 €?": "R-3 14",
	"Welche Rechnung hat den höchsten Betrag?": "R-3 14",
	"Welche Rechnungen sind nach dem 01.01.2024 fällig?": "R-1 12, R-2 13",
	"Which yachts are not painted?": "",
	"Which yachts are insured and which are towed?": "",
	"Which yachts were insured in 2020?": "",
	"two cheapest boats": "Dunlin 4, Sandpiper 2",
	"According to Maud, which boats are in Port Ellery?": "",
	"was ist offen": "",
	"Which parcels are below the waist length?": "",
	"second cheapest boat": "",
	"Which 2 boats are the oldest?": "",
	"boats never in Wexmouth": "",
	"boats with stock below 2": "Dunlin 4, Petrel 5, Sandpiper 2",
	"Which boat has the fewest in stock?": "Petrel 5, Sandpiper 2",
	"boats in stock": "Dunlin 4, Gannet 3",
	"Which boat has the lowest stock?": "Petrel 5, Sandpiper 2",
	"boats in stock under 20000 EUR": "",
	"Wie viele bezahlte Rechnungen gibt es?": "R-2 13",
	"nicht bezahlte Rechnungen": "",
	"what is under the minimum on hand": "rope 2",
	"was ist gerade unter dem Mindestbestand?": "Leim 2",
	boats: "",
	"why is the oldest boat red": "",
	"Welche Rechnungen sind nicht nach dem 01.01.2024 fällig?": "",
	"Which boats are red?": "",
	"Which boats will be sold next year?": "",
	"How many boats cost more than the Gannet?": "",
	"How many sails do the boats have?": "",
	// Tobias is in two tables and may be one helper or two.
	"How many helpers are there?": "",
};

const CLUB = {
	"members.csv":
		"name,year,fee_gbp,min_age,city\nAnn Bell,1994,12.00,18,Leeds\nBo Carr,2001,15.50,21,York\nCy Dunn,1987,9.00,16,Leeds\nDi Eyre,2010,15.50,18,Hull\n",
	"attendance_2024.csv": "date,name,minutes\n2024-01-05,Ann Bell,60\n2024-01-12,Ann Bell,90\n",
	"attendance_2025.csv": "date,name,minutes\n2025-01-05,Ann Bell,30\n2025-01-12,Cy Dunn,120\n",
	"trips.md":
		"# Trips\n\n| Trip | Days | Cost (GBP) | Cost 2023 (GBP) |\n|---|---|---|---|\n| Wales | 5 | 120 | 110 |\n| Skye | 9 | 310 | 95 |\n| Kent | 2 | 60 | 400 |\n\n## Top 10 songs\n\n| Song | Minutes |\n|---|---|\n| Lark | 4 |\n| Moor | 7 |\n",
	"repair list.md":
		"# Repair list\n\n| no | boat | urgency | repaired | due |\n|---|---|---|---|---|\n| R-1 | Kestrel | low | 2025-02-22 | 2025-03-01 |\n| R-2 | Mudlark | high | | 2025-04-01 |\n| R-3 | Grumpy | low | | 2025-04-01 |\n",
	"courses.md":
		"# For boats\n\n## Courses\n\n| Course | Price per pupil |\n|---|---|\n| Dough | £5.50 |\n| Iron | £7.20 |\n",
	"kosten.csv":
		"Kostenart;Betrag 2023;Betrag 2024;Lieferant\nStrom;90,00 €;300,00 €;bis 2023\nWasser;95,00 €;80,00 €;Stadt\n",
	"orders_2025.csv": "id,made,paid\nA-1,2025-03-01,2025-04-01\nA-2,2025-06-01,2026-01-02\n",
	"crews.md":
		"# Crews (as of 1 May 2025)\n\n| Crew | Group |\n|---|---|\n| Red | 1 |\n| Blue | 2 |\n\n# Guests (former)\n\n| Called |\n|---|\n| Tom |\n",
	"briefe.csv":
		"Datum,Absender,Empfänger,Betreff\n2024-01-02,Ole Krag,Ida Moss,Dach\n2024-02-02,Maud Lind,Ida Moss,Garten\n2024-03-02,Ole Krag,Maud Lind,Boot\n",
	"buecher.csv": "Titel,Verlag,Jahr\nNebelmeer,Tiden,1999\nSturm,Krag,2010\n",
};

/** Expected items with their lines; empty if the question is unclear or not understood. */
const ASKED_OF_CLUB: Texts = {
	"Which members have a minimum age of 18 or less?": "Ann Bell 2, Cy Dunn 4, Di Eyre 5",
	// Unclear: Maud Lind is a sender and a recipient.
	"Briefe von Ida Moss": "",
	"Briefe mit dem Absender Ole Krag": "Boot 4, Dach 2",
	"Bücher von Tiden": "Nebelmeer 2",
	"Which trip has the most days?": "Skye 6",
	"Which trips took less than five days?": "Kent 7",
	"Which boat courses cost more than £6 per pupil?": "Iron 8",
	"Welche Kostenart war 2024 am teuersten?": "Strom 2",
	"Which repairs of high urgency are not repaired yet?": "R-2 6",
	"Which repairs are due?": "",
	"Which crews are in group 1?": "Red 5",
	"How many guests are there?": "",
	"Which orders were paid in 2025?": "A-1 2",
	"Which trip took the longest last year?": "",
	"Which trip was the most expensive?": "",
	"Which courses cost more than £6 per day?": "",
	"Which date had the most minutes?": "",
	"Which members did not attend in 2025?": "",
};

const LOANS = {
	"loans.csv":
		"tool,owner,borrower,lent on,due,returned,condition\nDrill,Ana Reyes,Bo Lund,2025-01-03,2025-01-17,2025-01-15,good\nLadder,Bo Lund,Cem Aydin,2025-02-01,2025-02-15,,worn\nSaw,Ana Reyes,Dora Fink,2025-02-10,2025-02-24,2025-03-02,good\nSander,Cem Aydin,Ana Reyes,2025-03-05,2025-03-19,,broken\nJack,Dora Fink,,,,,good\n",
	"fahrten.md":
		"# Fahrten\n\n| Fahrt | Datum | Ziel | Fahrer | Fahrzeug | km | Teilnehmer |\n|---|---|---|---|---|---|---|\n| F1 | 03.05.2025 | Harz | Uwe Stein | Bus 1 | 210 | 22 |\n| F2 | 17.05.2025 | Ostsee | Mia Roth | Bus 2 | 340 | 18 |\n| F3 | 01.06.2025 | Harz | Mia Roth | Bus 1 | 205 | 9 |\n| F4 | 14.06.2025 | Bremen | Uwe Stein | Bus 2 | 120 | 31 |\n",
	"staff.md":
		"# Staff\n\n| Name | Role | Manager | Start | Hours per week | Languages | Remote |\n| --- | --- | --- | --- | --- | --- | --- |\n| Nia Okoro | Nurse | Pat Quill | 2019-04-01 | 38 | English, Igbo | no |\n| Pat Quill | Matron | | 2011-09-12 | 40 | English | no |\n| Rui Costa | Nurse | Pat Quill | 2022-01-15 | 20 | Portuguese, English | yes |\n| Sam Tuck | Porter | Nia Okoro | 2023-06-30 | 40 | English, Polish | no |\n| Tia Vogel | Clerk | Pat Quill | 2020-02-02 | 30 | German, English | yes |\n",
	"rooms.md":
		"## Rooms\n\n| Room | Beds | Floor |\n|---|---|---|\n| 1 | 2 | 1 |\n| 2 | 3 | 1 |\n| 3 | 2 | 2 |\n",
	"inns.csv": "name,city,owner\nBlue Door,Bergen,Ida Moss\nGreen Fork,Bergen,May Lind\n",
	"animals.json":
		'[{"name":"Bella","species":"dog","age":4,"weightKg":21.5,"adopted":false,"arrived":"2025-05-01","vaccinated":true},\n{"name":"Milo","species":"cat","age":2,"weightKg":4.1,"adopted":true,"arrived":"2025-03-11","vaccinated":true},\n{"name":"Rex","species":"dog","age":9,"weightKg":30,"adopted":false,"arrived":"2024-12-24","vaccinated":false},\n{"name":"Coco","species":"parrot","age":15,"weightKg":0.4,"adopted":false,"arrived":"2025-01-30","vaccinated":false},\n{"name":"Luna","species":"cat","age":7,"weightKg":5.0,"adopted":true,"arrived":"2025-04-20","vaccinated":true}]\n',
};

/** Directions, ages, months, and words that look like grammar. */
const ASKED_OF_LOANS: Texts = {
	"Which tools are still out?": "",
	"Which tools are in?": "",
	"Which tools were lent in January or March?": "Drill 2, Sander 5",
	"Which tools may be lent?": "",
	"Who is Nia Okoro's manager?": "Pat Quill 5",
	"Who is the manager of Pat Quill?": "",
	"Who started before 2020?": "Nia Okoro 5, Pat Quill 6",
	"Wer ist Matron?": "Pat Quill 6",
	"Who works with Nia Okoro?": "",
	"Who is Pat?": "",
	"Who is in?": "",
	"What is the youngest cat?": "Milo 2",
	"Which animals are older than 5 years?": "Coco 4, Luna 5, Rex 3",
	"Which animals arrived within the last year?": "",
	"Which animals are about 5 kg?": "",
	"Which animals are not adopted and vaccinated?": "",
	"Fahrten im Mai 2024": "",
	"Which rooms have 2 beds?": "",
	"Who is in Bergen?": "",
	"Wie viele Teilnehmer hatten die Fahrten?": "",
};

for (const [title, files, asked] of [
	["boats, invoices and stocks list rows, tasks and documents", BOATS, ASKED_OF_BOATS],
	["a club list rows by amounts, years and groups", CLUB, ASKED_OF_CLUB],
	["loans, staff and animals list rows by months, roles and ages", LOANS, ASKED_OF_LOANS],
] as const)
	testListings(`questions about ${title}, and nothing if they are unclear`, files, asked, labelsAndLinesOf);

test("a listing of a table too large for the graph counts all rows, but lists none by value", async () => {
	const kind = "urn:copilot-ld:kind:parcels";
	const list = await listingIn({
		"parcels.ttl": `@base <file:///parcels.ttl> .
<#row=2> a <${kind}> ; <#name> "a" ; <#state> "lost" . <#row=3> a <${kind}> ; <#name> "b" ; <#state> "lost" .
<${kind}> <http://rdfs.org/ns/void#entities> 40 .`,
	});
	const questions = ["How many parcels are there?", "How many parcels are lost?", "Which parcels are lost?"];
	assertMapped(questions, (question) => list(question)?.total, [40, undefined, undefined]);
});
