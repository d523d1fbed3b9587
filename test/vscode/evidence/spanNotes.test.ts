import assert from "node:assert/strict";
import { test } from "node:test";
import type { Knowledge } from "../../../src/core/knowledge/knowledge.ts";
import type { TranscriptTurn } from "../../../src/core/session/session.ts";
import { fingerprint } from "../../../src/evidence/fingerprint.ts";
import { withNotes } from "../../../src/vscode/evidence/spanNotes.ts";

const LINES = "Gannet Rock Light is 41 metres high.\nIts attendant is Ida Fenwick.";
const FILE = `# Lights\n\n${LINES}\n`;
const never = new AbortController().signal;

function turn(more: Partial<TranscriptTurn> = {}): TranscriptTurn {
	const spans = [fingerprint({ path: "a/lights.md", lines: { start: 3, end: 4 } }, LINES)];
	return { turn: 0, at: 0, question: "", attachments: [], events: [], answer: "", tokens: 0, spans, ...more };
}

async function notes(files: Readonly<Record<string, string>>, asked = turn()): Promise<string[]> {
	const read: Knowledge["read"] = async ({ target }) => {
		const path = /^\[(.*):/.exec(target)?.[1] ?? "";
		const text = files[path];
		const part = { uri: "", path, lines: { start: 1, end: 1 }, title: "", text: text ?? "" };
		const parts = text === undefined ? [] : [part];
		return { parts, totalCharacters: 0, truncated: false, links: [], suggestions: [] };
	};
	const [noted] = await withNotes({ read }, [asked], never);
	return (noted?.events ?? []).map((event) => (event.kind === "notice" ? event.text : event.kind));
}

test("lines that are what they were need no word, and neither does a turn that kept no hashes", async () => {
	assert.deepEqual(await notes({ "a/lights.md": FILE }), []);
	const { spans: _, ...old } = turn();
	const read = () => Promise.reject(new Error("It is not read."));
	assert.deepEqual(await withNotes({ read }, [old], never), [old]);
});

const A = "a/lights.md";
const CHANGED = FILE.replace("41", "43");
const MOST_SIMILAR = "has changed since this answer; a/lights.md:4-5 is now most similar to it.";
const GONE = "has changed since this answer: what was cited is no longer in the file.";

for (const [title, files, told] of [
	["lines that moved are found where they are now", { [A]: `New.\n${FILE}` }, "is now at a/lights.md:4-5."],
	["lines that changed say so", { [A]: CHANGED }, "has changed since this answer."],
	["lines that changed and moved say what is most similar", { [A]: `New.\n${CHANGED}` }, MOST_SIMILAR],
	["lines that are gone say so", { [A]: "All is new." }, GONE],
	["a file that is gone says so", {}, "can no longer be read."],
] as const)
	test(title, async () => {
		assert.deepEqual(await notes(files), [`a/lights.md:3-4 ${told}`]);
	});
