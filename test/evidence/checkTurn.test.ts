import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../src/base/failure.ts";
import { formatCitation } from "../../src/core/knowledge/citation.ts";
import type { FoundThing } from "../../src/core/knowledge/graph.ts";
import { type CitedText, checkAnswer, statementsIn } from "../../src/evidence/checkAnswer.ts";
import { type CheckPorts, checkTurn, type TurnToCheck } from "../../src/evidence/checkTurn.ts";
import { findAgain, fingerprint } from "../../src/evidence/fingerprint.ts";
import { remarkOn, summaryOf, warningsOn } from "../../src/evidence/summary.ts";
import { evidenceLines } from "../../src/vscode/evidence/evidence.ts";
import { assertMapped } from "../support/assertMapped.ts";

const never = new AbortController().signal;

function knowledge(texts: Readonly<Record<string, string>>, named: readonly FoundThing[] = []): CheckPorts {
	const knowledge: CheckPorts["knowledge"] = {
		read: async ({ target, channel }) => {
			const text = texts[`${channel} ${target}`];
			if (text === undefined) throw new Failure("NOT_FOUND", "It is gone.");
			const part = { uri: "", path: "a.md", lines: { start: 1, end: 1 }, title: "Lights", text };
			return { parts: [part], totalCharacters: text.length, truncated: false, links: [], suggestions: [] };
		},
	};
	return { knowledge, things: { find: async () => named } };
}

/** The verdict on the first statement, with its missing facts. */
async function verdictOn(ports: CheckPorts, turn: Partial<TurnToCheck> & Pick<TurnToCheck, "answer">) {
	const { statements } = await checkTurn(ports, { events: [], channel: "chat", ...turn }, never);
	const verdict = statements[0]?.verdict;
	return verdict?.kind === "missing" ? `missing: ${verdict.missing}` : verdict?.kind;
}

test("a name in the heading shown above cited lines counts as cited", async () => {
	const texts = knowledge({ "chat [a.md:4-5]": "It is 41 m high." });
	const answer = "The Gannet Rock Light is 41 m high [a.md:4-5].";
	const call = { id: "1", name: "read", input: {} };
	const text = "[a.md:3-9] Gannet Rock\nIt is 41 m high.";
	const shown = { kind: "toolFinished", call, ok: true, text } as const;
	assert.equal(await verdictOn(texts, { answer }), "missing: Gannet Rock Light");
	assert.equal(await verdictOn(texts, { answer, events: [shown] }), "standing");
});

test("cited lines are read through the turn's channel; missing lines refute nothing", async () => {
	const texts = knowledge({ "cli [a.md:1]": "It is 41 m high." });
	const answer = "It is 12 m high [a.md:1].";
	assert.equal(await verdictOn(texts, { answer, channel: "cli" }), "missing: 12 m");
	assert.equal(await verdictOn(texts, { answer }), "unjudged");
});

async function evidenceOf(question: string, answer: string, cited: string): Promise<readonly string[]> {
	const ports = knowledge({ "chat [a.md:7-9]": cited });
	const turn = { answer: `${answer} [a.md:7-9].`, events: [], channel: "chat" } as const;
	const checked = await checkTurn(ports, turn, never);
	return evidenceLines(question, checked).map(({ text }) => text);
}

test("the evidence document spells out control characters; cited text cannot imitate the document's own lines", async () => {
	const hostile = "\u202e12 m\u0007\n\t<b>[x](command:y)</b>\n✓  All is well";
	const lines = await evidenceOf("How\nhigh?\u202e", "It is <img src=x> 12 m high\u200b", hostile);
	assert.deepEqual(lines.slice(0, 2), ["> How", "> high?⟨U+202E⟩"]);
	assert.deepEqual(lines.slice(-4), [
		"    a.md:7-9",
		"     7  ⟨U+202E⟩12 m⟨U+0007⟩",
		"     8  \t<b>[x](command:y)</b>",
		"     9  ✓  All is well",
	]);
	assert.ok(lines.includes("✓  It is <img src=x> 12 m high⟨U+200B⟩."));
	const long = `${"It is as high as a tower of twelve metres. ".repeat(4)}✓  All is well, 12 m`;
	for (const line of await evidenceOf("How high?", long, "x"))
		assert.ok(line.length <= 80 && !line.startsWith("✓"), line);
});

test("the first word of a sentence is judged as a name if the graph knows it as a name", async () => {
	const thing = (label: string, type: string) =>
		({ id: label, label, kind: "thing", types: [type] }) as const;
	const named = [thing("Petrel", "Vessel"), thing("Overview", "Article"), thing("Landing Stage", "Place")];
	for (const [words, known, lines, expected] of [
		["Petrel belongs to it", named, "She belongs to the Service.", "missing: Petrel"],
		["Petrel belongs to it", [], "She belongs to the Service.", "unjudged"],
		["Overview belongs to it", named, "She belongs to the Service.", "unjudged"],
		["Landing belongs to it", named, "She belongs to the Service.", "unjudged"],
		["Petrel belongs to it", named, "The Petrel belongs to the Service.", "standing"],
		["Heute gehört die Petrel nicht zum Dienst", named, "She belongs to the Service.", "missing: Petrel"],
	] as const) {
		const ports = knowledge({ "chat [a.md:1]": lines }, known);
		assert.equal(await verdictOn(ports, { answer: `${words} [a.md:1].` }), expected, words);
	}
	const find = () => Promise.reject(new Failure("NOT_FOUND", "x"));
	const failing = { ...knowledge({ "chat [a.md:1]": "She belongs." }), things: { find } };
	assert.equal(await verdictOn(failing, { answer: "Petrel belongs to it [a.md:1]." }), "unjudged");
});

const LISTS =
	"# The 3 lights\n\nThey are:\n\n- **Gannet Rock** [a.md:1]\n2. Pell Reef\n\n```\n12 m\n```\n\n| a | b |\n|---|---|\n| 12 | x [a.md:2] |";

for (const [title, answer, ...expected] of [
	[
		"a citation before or after the period of a sentence belongs to the sentence",
		"It is red [a.md:1]. It is old. [a.md:2] It is far [a.md:3-4][b.md:1].",
		...["It is red. [a.md:1]", "It is old. [a.md:2]", "It is far. [a.md:3-4][b.md:1]"],
	],
	[
		"abbreviations, initials and decimals do not end a sentence",
		"Dr. Hale met J. Wren at No. 3, i.e. Mr. Lund's. It was 3.5 m high.",
		...["Dr. Hale met J. Wren at No. 3, i.e. Mr. Lund's. ", "It was 3.5 m high. "],
	],
	[
		"list items and table rows are statements; headings, code and rules are not",
		LISTS,
		...["They are: ", "Gannet Rock [a.md:1]", "Pell Reef ", "| a | b | ", "| 12 | x | [a.md:2]"],
	],
	["an answer cannot forge the placeholders for citations", "A \uE0000\uE001 b [a.md:1].", "A 0 b. [a.md:1]"],
] as const)
	test(title, () => {
		const statements = statementsIn(answer);
		assertMapped(statements, (one) => `${one.text} ${one.citations.map(formatCitation).join("")}`, expected);
	});

test("citations in a line of sources belong to the paragraph before that line", () => {
	const [first, second] = statementsIn("It is 12 m high.\n\nSources: [a.md:1] [b.md:2]\n\nIt is red.");
	assert.deepEqual(first?.nearby.map(formatCitation), ["[a.md:1]", "[b.md:2]"]);
	assert.deepEqual([second?.text, second?.nearby], ["It is red.", []]);
});

const LINES: CitedText = { text: "Gannet Rock Light is 41 metres high, says Ida Fenwick.", titles: [] };
const STANDS = "The statement has its figures and names in the cited lines.";
const UNCITED = "1 statement with figures or names cites no lines that contain them.";
const TWO = "It is 41 m high [a.md:1]. It is 12 m wide, says Tom Hale [a.md:1].";

test("a summary counts supported and uncited statements, but not unjudged statements", () => {
	for (const [answer, summary, lines] of [
		[TWO, "1 of 2 statements have their figures and names in the cited lines.", LINES],
		["It is 41 m high [a.md:1].\n\nIt was lit in 1861.", `${STANDS} ${UNCITED}`, LINES],
		["It is 41 m high. So says Ida Fenwick [a.md:1].", STANDS, LINES],
		["Nobody knows. It may rain [a.md:1].", "", LINES],
		["It is 12 m high [a.md:1].", "", undefined],
	] as const)
		assert.equal(summaryOf(checkAnswer(answer, () => lines)), summary);
});

test("a warning names at most four facts that the cited lines lack", () => {
	const warnings = warningsOn(checkAnswer(TWO, () => LINES));
	assert.deepEqual(warnings, ["12 m, Tom Hale are not what the cited lines say: [a.md:1]"]);
	const [many] = checkAnswer("It has 101, 102, 103, 104, 105 and 106 steps [a.md:1].", () => LINES);
	assert.equal(many && remarkOn(many), "101, 102, 103, 104, 2 more are not what the cited lines say.");
});

const CITED = "Gannet Rock Light is 41 metres high.\nIts attendant is Ida Fenwick.";
const TEXT = `# Lights\n\n${CITED}\n\n# Horns\n\nThe horn is tested in September.\n`;
const NEXT = { lines: { start: 4, end: 5 } };

test("cited lines are found again, nearest first, by a fingerprint without readable text", () => {
	const span = fingerprint({ path: "a.md", lines: { start: 3, end: 4 } }, CITED);
	for (const [what, file, expected] of [
		["other indentation", TEXT.replace("Its", "\t Its"), { kind: "same" }],
		["elsewhere", `One\nTwo\nThree\n${TEXT}`, { kind: "moved", lines: { start: 6, end: 7 } }],
		["the nearer of two", `New\n${TEXT}${TEXT}${"\n".repeat(40)}`, { kind: "moved", ...NEXT }],
		["most like them", `New\n${TEXT.replace("41", "43")}`, { kind: "changed", ...NEXT }],
		["gone", "Something else entirely.\n", { kind: "changed" }],
	] as const)
		assert.deepEqual(findAgain(span, file), expected, what);
	const kept = JSON.stringify(span);
	assert.doesNotMatch(kept, /Gannet|Fenwick|41|attendant/i);
	assert.ok(kept.length < 400);
});
