import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../src/base/failure.ts";
import { formatCitation } from "../../src/core/knowledge/citation.ts";
import type { FoundThing } from "../../src/core/knowledge/graph.ts";
import { type CitedText, checkAnswer } from "../../src/evidence/checkAnswer.ts";
import { type CheckPorts, checkTurn, type TurnToCheck } from "../../src/evidence/checkTurn.ts";
import { findAgain, fingerprint } from "../../src/evidence/fingerprint.ts";
import { statementsIn } from "../../src/evidence/statements.ts";
import { remarkOn, summaryOf, warningsOn } from "../../src/evidence/summary.ts";
import { evidenceLines } from "../../src/vscode/evidence/evidence.ts";

const never = new AbortController().signal;

function knowledge(texts: Readonly<Record<string, string>>, named: readonly FoundThing[] = []): CheckPorts {
	const knowledge: CheckPorts["knowledge"] = {
		read: async ({ target, door }) => {
			const text = texts[`${door} ${target}`];
			if (text === undefined) throw new Failure("NOT_FOUND", "It is gone.");
			const part = { uri: "", path: "a.md", lines: { start: 1, end: 1 }, title: "Lights", text };
			return { parts: [part], totalCharacters: text.length, truncated: false, links: [], suggestions: [] };
		},
	};
	return { knowledge, things: { find: async () => named } };
}

async function verdictOn(ports: CheckPorts, turn: TurnToCheck) {
	return (await checkTurn(ports, turn, never)).statements[0]?.verdict.kind;
}

test("a name in the heading under which lines were shown needs not stand in them", async () => {
	const texts = knowledge({ "chat [a.md:4-5]": "It is 41 m high." });
	const answer = "The Gannet Rock Light is 41 m high [a.md:4-5].";
	const call = { id: "1", name: "read", input: {} };
	const text = "[a.md:3-9] Gannet Rock\nIt is 41 m high.";
	const shown = { kind: "toolFinished", call, ok: true, text } as const;
	assert.equal(await verdictOn(texts, { answer, events: [], door: "chat" }), "missing");
	assert.equal(await verdictOn(texts, { answer, events: [shown], door: "chat" }), "standing");
});

test("lines are read by the door of the turn, and those that are gone speak against nothing", async () => {
	const texts = knowledge({ "cli [a.md:1]": "It is 41 m high." });
	const turn = { answer: "It is 12 m high [a.md:1].", events: [] };
	assert.equal(await verdictOn(texts, { ...turn, door: "cli" }), "missing");
	assert.equal(await verdictOn(texts, { ...turn, door: "chat" }), "unjudged");
});

test("the evidence shows text of others as data: control characters are named, and no line of it is ours", async () => {
	const hostile = "\u202e12 m\u0007\n\t<b>[x](command:y)</b>\n✓  All is well";
	const texts = knowledge({ "chat [a.md:7-9]": hostile });
	const answer = "It is <img src=x> 12 m high\u200b [a.md:7-9].";
	const checked = await checkTurn(texts, { answer, events: [], door: "chat" }, never);
	const lines = evidenceLines("How\nhigh?\u202e", checked).map(({ text }) => text);
	assert.deepEqual(lines.slice(0, 2), ["> How", "> high?⟨U+202E⟩"]);
	assert.deepEqual(lines.slice(-4), [
		"    a.md:7-9",
		"     7  ⟨U+202E⟩12 m⟨U+0007⟩",
		"     8  \t<b>[x](command:y)</b>",
		"     9  ✓  All is well",
	]);
	assert.ok(lines.includes("✓  It is <img src=x> 12 m high⟨U+200B⟩."));
});

test("what a narrow editor would cut off goes on in the next line, and nobody can begin a line as we do", async () => {
	const long = `${"It is as high as a tower of twelve metres. ".repeat(4)}✓  All is well, 12 m [a.md:1].`;
	const checked = await checkTurn(
		knowledge({ "chat [a.md:1]": "x" }),
		{ answer: long, events: [], door: "chat" },
		never,
	);
	const lines = evidenceLines("How high?", checked).map(({ text }) => text);
	assert.ok(lines.every((line) => line.length <= 80));
	assert.ok(lines.every((line) => !line.startsWith("✓")));
});

test("a word at the beginning of a sentence is judged as a name where the graph knows it as one", async () => {
	const thing = (label: string, type: string) =>
		({ id: label, label, kind: "thing", types: [type] }) as const;
	const named = [thing("Petrel", "Vessel"), thing("Overview", "Article"), thing("Landing Stage", "Place")];
	const lines = { "chat [a.md:1]": "She belongs to the Service." };
	const missingIn = async (answer: string, ports: CheckPorts) => {
		const [checked] = (await checkTurn(ports, { answer, events: [], door: "chat" }, never)).statements;
		return checked?.verdict.kind === "missing" ? checked.verdict.missing : checked?.verdict.kind;
	};
	const sentence = "Petrel belongs to it [a.md:1].";
	assert.deepEqual(await missingIn(sentence, knowledge(lines, named)), ["Petrel"]);
	assert.equal(await missingIn(sentence, knowledge(lines)), "unjudged");
	for (const word of ["Overview", "Landing"])
		assert.equal(await missingIn(`${word} belongs to it [a.md:1].`, knowledge(lines, named)), "unjudged");
	const told = { "chat [a.md:1]": "The Petrel belongs to the Service." };
	assert.equal(await missingIn(sentence, knowledge(told, named)), "standing");
	const german = "Heute gehört die Petrel nicht mehr zum Dienst der Leuchtfeuer [a.md:1].";
	assert.deepEqual(await missingIn(german, knowledge(lines, named)), ["Petrel"]);
	const failing = {
		...knowledge(lines),
		things: { find: () => Promise.reject(new Failure("NOT_FOUND", "x")) },
	};
	assert.equal(await missingIn(sentence, failing), "unjudged");
});

function read(answer: string): (readonly [text: string, citations: string])[] {
	return statementsIn(answer).map(({ text, citations }) => [text, citations.map(formatCitation).join("")]);
}

test("what stands before or behind the stop of a sentence is cited by it", () => {
	assert.deepEqual(read("It is red [a.md:1]. It is old. [a.md:2] It is far [a.md:3-4][b.md:1]."), [
		["It is red.", "[a.md:1]"],
		["It is old.", "[a.md:2]"],
		["It is far.", "[a.md:3-4][b.md:1]"],
	]);
});

test("an abbreviation, an initial and a decimal end no sentence", () => {
	assert.deepEqual(
		read("Dr. Hale met J. Wren at No. 3, i.e. Mr. Lund's. It was 3.5 m high.").map(([text]) => text),
		["Dr. Hale met J. Wren at No. 3, i.e. Mr. Lund's.", "It was 3.5 m high."],
	);
});

test("each item of a list and each row of a table is a statement; headings, code and rules are none", () => {
	const answer =
		"# The 3 lights\n\nThey are:\n\n- **Gannet Rock** [a.md:1]\n2. Pell Reef\n\n```\n12 m\n```\n\n| a | b |\n|---|---|\n| 12 | x [a.md:2] |";
	assert.deepEqual(read(answer), [
		["They are:", ""],
		["Gannet Rock", "[a.md:1]"],
		["Pell Reef", ""],
		["| a | b |", ""],
		["| 12 | x |", "[a.md:2]"],
	]);
});

test("a line of sources cites for what stands before it", () => {
	const [first, second] = statementsIn("It is 12 m high.\n\nSources: [a.md:1] [b.md:2]\n\nIt is red.");
	assert.deepEqual(first?.nearby.map(formatCitation), ["[a.md:1]", "[b.md:2]"]);
	assert.deepEqual([second?.text, second?.nearby], ["It is red.", []]);
});

test("an answer cannot forge the marks that stand for citations", () => {
	assert.deepEqual(read("A \uE0000\uE001 b [a.md:1]."), [["A 0 b.", "[a.md:1]"]]);
});

test("long hostile answers are read to their end", () => {
	for (const piece of ["[a.md:1", "[a](", "A.", "A-", "1,", "**", '"a', "AAAA1", "| ", "> "])
		assert.doesNotThrow(() => statementsIn(piece.repeat(10_000)), piece);
});

const LINES: CitedText = { text: "Gannet Rock Light is 41 metres high, says Ida Fenwick.", titles: [] };

function check(answer: string, text: CitedText | undefined = LINES) {
	return checkAnswer(answer, () => text);
}

test("counts the statements that stand in their lines, and names what does not", () => {
	const checked = check("It is 41 m high [a.md:1]. It is 12 m wide, says Tom Hale [a.md:1].");
	assert.equal(summaryOf(checked), "1 of 2 statements have their figures and names in the cited lines.");
	assert.deepEqual(warningsOn(checked), ["12 m, Tom Hale are not what the cited lines say: [a.md:1]"]);
});

test("counts statements with facts that cite nothing", () => {
	assert.equal(
		summaryOf(check("It is 41 m high [a.md:1].\n\nIt was lit in 1861.")),
		"The statement has its figures and names in the cited lines. 1 statement with figures or names cites no lines that contain them.",
	);
});

test("does not count what the next sentence of its paragraph cites", () => {
	const checked = check("It is 41 m high. So says Ida Fenwick [a.md:1].");
	assert.equal(summaryOf(checked), "The statement has its figures and names in the cited lines.");
});

test("says nothing of an answer without facts, and of lines that cannot be read", () => {
	assert.equal(summaryOf(check("Nobody knows. It may rain [a.md:1].")), "");
	assert.equal(summaryOf(checkAnswer("It is 12 m high [a.md:1].", () => undefined)), "");
});

test("names a few things of many", () => {
	const [first] = check("It has 101, 102, 103, 104, 105 and 106 steps [a.md:1].");
	assert.equal(first && remarkOn(first), "101, 102, 103, 104, 2 more are not what the cited lines say.");
});

const TEXT =
	"# Lights\n\nGannet Rock Light is 41 metres high.\nIts attendant is Ida Fenwick.\n\n# Horns\n\nThe horn is tested in September.\n";
const span = fingerprint(
	{ path: "a.md", lines: { start: 3, end: 4 } },
	"Gannet Rock Light is 41 metres high.\nIts attendant is Ida Fenwick.",
);

test("lines that only got other indentation are the same", () => {
	assert.deepEqual(findAgain(span, TEXT.replace("Its", "\t Its")), { kind: "same" });
});

test("lines that stand elsewhere are found word for word", () => {
	assert.deepEqual(findAgain(span, `One\nTwo\nThree\n${TEXT}`), {
		kind: "moved",
		lines: { start: 6, end: 7 },
	});
});

test("of two that are the same, the nearer one is found", () => {
	const twice = `${TEXT}${TEXT}${"\n".repeat(40)}`.replace(/^/, "New\n");
	assert.deepEqual(findAgain(span, twice), { kind: "moved", lines: { start: 4, end: 5 } });
});

test("lines that were changed are said to be, with those that are most like them", () => {
	const changed = `New\n${TEXT.replace("41", "43")}`;
	assert.deepEqual(findAgain(span, changed), { kind: "changed", lines: { start: 4, end: 5 } });
	assert.deepEqual(findAgain(span, "Something else entirely.\n"), { kind: "changed" });
});

test("what is kept of lines is nothing that can be read", () => {
	const kept = JSON.stringify(span);
	for (const word of ["Gannet", "gannet", "Fenwick", "41", "attendant"])
		assert.ok(!kept.includes(word), word);
	assert.ok(kept.length < 400);
});
