import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createPortsClient } from "../../../src/protocol/portsClient.ts";
import type { WorkerOptions } from "../../../src/protocol/worker.ts";
import { never } from "../workerProcess.ts";
import type { Files } from "../workspace.ts";
import { openPolicy } from "./openPolicy.ts";

const POLICY = `exclude: [.copilot-ld/]
policy:
  - deny: {paths: ["hr/**"]}
    doors: [mcp]
  - deny: {properties: [salary]}
    doors: [mcp]
  - deny: {types: [Informer]}
    doors: [mcp]
`;

const PLACES = ["Gannet Rock", "Quellmoor", "Anholt", "Skerry", "Visby", "Sund"];
const TASKS = ["trims the lamp", "paints the tower", "counts the ships", "winds the clock", "rows the boat"];

const VISIBLE: Files = {
	...Object.fromEntries(
		PLACES.flatMap((place, at) =>
			TASKS.map((task, number) => [
				`logs/${place}-${number}.md`,
				`# ${place}, day ${number}\n\nThe keeper of ${place} ${task}. Oil for the lamp came by boat ${at * 7 + number}.\n`,
			]),
		),
	),
	"bericht.md": "# Bericht\n\nDer Wärter der Insel zählt die Schiffe und pflegt die Lampe.\n",
	"boats.csv": "boat,length\nPetrel,12\nPuffin,9\nGannet,15\n",
	"rock.ttl":
		'@prefix s: <https://schema.org/> . <urn:rock> a s:Place ; s:name "Gannet Rock" ; s:employee <urn:anna> .\n<urn:anna> a s:Person ; s:name "Anna Holm" .\n',
};

/** Two folders in which everything that is hidden differs: how much there is, its words, values and names. */
const HIDDEN: readonly [Files, Files] = [
	{
		...Object.fromEntries(
			Array.from({ length: 40 }, (_, at) => [
				`hr/file-${at}.md`,
				`# Pay ${at}\n\nThe lamp and zulfikar of boat ${at} cost the keeper. Der Wärter und die Lampe, ${at} Schiffe.\n`,
			]),
		),
		"hr/staff.ttl": '<urn:rock> <https://schema.org/keeper> "Zulfikar Lamp" .\n',
		"staff.md": "---\nname: Nora\nsalary: 4711\nrole: keeper\n---\n\nNora keeps the lamp of Sund.\n",
		"crew.ttl":
			'<urn:pia> a <urn:v#Informer> ; <https://schema.org/name> "Pia Zulfikar" .\n<urn:ole> <https://schema.org/name> "Ole" ; <urn:v#salary> "lamp zulfikar" .\n',
	},
	{
		"hr/other.md": "# Holm\n\nPetrel.\n",
		"staff.md": "---\nname: Nora\nsalary: none\nrole: keeper\n---\n\nNora keeps the lamp of Sund.\n",
		"crew.ttl":
			'<urn:pia> a <urn:v#Informer> ; <https://schema.org/name> "Oil" .\n<urn:ole> <https://schema.org/name> "Ole" ; <urn:v#salary> "tower" .\n',
	},
];

const SEARCHES = [
	"lamp zulfikar",
	"lamp zulfikas",
	"zulfikar",
	"zulfikra",
	"lamp",
	"boat 3",
	"keeper of Gannet Rock",
	"Who trims the lamp of Visby?",
	'"counts the ships"',
	'"Pia Zulfikar"',
	"Wärter Lampe",
	"Wer zählt die Schiffe?",
	"kepeer of the lampp",
	"salary of Nora",
	"How many boats are there?",
	"Which boats are longer than 10?",
	"Who works at Gannet Rock?",
	"What is this about?",
	"Pay 7",
	"Ole",
	"the oil and the tower and the clock of Skerry and Anholt",
];

const QUERIES = [
	"SELECT (COUNT(*) AS ?n) { ?s ?p ?o }",
	"SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p ORDER BY ?p",
	"SELECT * { <urn:rock> ?p ?o }",
	"SELECT * { ?s a ?c } ORDER BY ?s",
];

const TARGETS = [
	"staff.md",
	"crew.ttl",
	"hr/file-1.md",
	"hr/other.md",
	"Anna Holm",
	"Pia Zulfikar",
	"urn:ole",
];

/** What differs by chance: where the folder is, and how long something took. */
function plain(answer: unknown, root: string): string {
	return JSON.stringify(answer, (key, value) => (key === "durationMs" ? undefined : value), 1).replaceAll(
		root,
		"",
	);
}

async function everything(t: TestContext, hidden: Files, options: Partial<WorkerOptions>) {
	const files = { ...VISIBLE, ...hidden };
	const { knowledge, graph, connection, workspace } = await openPolicy(t, POLICY, files, options);
	const { things } = createPortsClient(connection);
	const door = "mcp";
	const asked = (name: string, ask: () => Promise<unknown>) => async () => {
		const answer = await ask().catch(String);
		return [name, plain(answer, workspace.root)] as const;
	};
	const asks = [
		...SEARCHES.flatMap((query) => [
			asked(`search ${query}`, () => knowledge.search({ query, door, limit: 20, wantsAnswer: true }, never)),
			asked(`words ${query}`, () => knowledge.search({ query, door, limit: 3, index: "content" }, never)),
			asked(`logs ${query}`, () => knowledge.search({ query, door, sources: ["logs/"] }, never)),
		]),
		...TARGETS.map((target) => asked(`read ${target}`, () => knowledge.read({ target, door }, never))),
		...QUERIES.map((sparql) => asked(sparql, () => graph.query({ sparql, door }, never))),
		asked("ontology", () => graph.ontology({ budgetTokens: 4000, focus: "salary pay", door }, never)),
		asked("check", () =>
			graph.check({ sparql: "ASK { ?s <urn:v#salar> ?o ; a <urn:v#Informe> }", door }, never),
		),
		...["", "Zul", "Ann", "Pi", "sal"].map((words) =>
			asked(`find ${words}`, () => things.find({ words, limit: 100, door }, never)),
		),
		asked("overview", () => things.overview({ limit: 100, door }, never)),
		...["urn:rock", "urn:anna", "urn:pia", "urn:ole"].flatMap((iri) => [
			asked(`describe ${iri}`, () => things.describe({ iri, door }, never)),
			asked(`neighbours ${iri}`, () => things.neighbours({ iris: [iri], door }, never)),
			asked(`pointers ${iri}`, () => things.pointers({ iri, door }, never)),
		]),
		asked("shapes", () => things.checkShapes({ door }, never)),
		asked("prefixes", () => things.prefixes({ door }, never)),
	];
	const told: (readonly [string, string])[] = [];
	// One after the other: the first question to a graph says that it was read.
	for (const ask of asks) told.push(await ask());
	return told;
}

for (const [name, options] of [
	["in memory", {}],
	["without vectors", { embedding: { provider: "none" } }],
	["by LanceDB's indexes", { storage: { memoryMb: 0 } }],
] as const)
	test(`folders that differ only in what is hidden give equal answers, searched ${name}`, async (t) => {
		const [one, other] = await Promise.all(HIDDEN.map((hidden) => everything(t, hidden, options)));
		const different = one?.filter(([, answer], at) => answer !== other?.[at]?.[1]).map(([asked]) => asked);
		assert.deepEqual(different, []);
	});
