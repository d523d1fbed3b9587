import assert from "node:assert/strict";
import { test } from "node:test";
import { listed } from "../../support/listed.ts";
import type { Files } from "../workspace.ts";
import { questionsThatDiffer } from "./everything.ts";

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

const SEARCHES = listed(`
	lamp zulfikar | lamp zulfikas | zulfikar | zulfikra | lamp | boat 3 | Pay 7 | Ole | salary of Nora
	keeper of Gannet Rock | Who trims the lamp of Visby? | "counts the ships" | "Pia Zulfikar" | Wärter Lampe
	Wer zählt die Schiffe? | kepeer of the lampp | How many boats are there? | Which boats are longer than 10?
	Who works at Gannet Rock? | What is this about? | the oil and the tower and the clock of Skerry and Anholt
`);

const TARGETS = listed("staff.md|crew.ttl|hr/file-1.md|hr/other.md|Anna Holm|Pia Zulfikar|urn:ole");

const IRIS = ["urn:rock", "urn:anna", "urn:pia", "urn:ole"];

for (const [name, options] of [
	["in memory", {}],
	["without vectors", { embedding: { provider: "none" } }],
	["by LanceDB's indexes", { storage: { memoryMb: 0 } }],
] as const)
	test(`folders that differ only in what is hidden give equal answers, searched ${name}`, async (t) => {
		const [first, second] = HIDDEN.map((hidden) => ({ ...VISIBLE, ...hidden }));
		const folders = [first ?? {}, second ?? {}] as const;
		const searches = [...SEARCHES, ...SEARCHES.map((query) => ({ query, sources: ["logs/"] }))];
		const asking = { policy: POLICY, searches, targets: TARGETS, iris: IRIS, options };
		assert.deepEqual(await questionsThatDiffer(t, folders, asking), []);
	});
