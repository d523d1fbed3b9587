import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../src/base/failure.ts";
import type { FoundThing } from "../../src/core/knowledge/graph.ts";
import { type CheckPorts, checkTurn, type TurnToCheck } from "../../src/evidence/checkTurn.ts";
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
