import assert from "node:assert/strict";
import { test } from "node:test";
import type { Knowledge } from "../../../src/core/knowledge/knowledge.ts";
import { fingerprint } from "../../../src/evidence/fingerprint.ts";
import { withNotes } from "../../../src/vscode/evidence/evidence.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { oneTurn } from "../../webview/fakeSessions.ts";

const LINES = "Gannet Rock Light is 41 metres high.\nIts attendant is Ida Fenwick.";
const FILE = `# Lights\n\n${LINES}\n`;
const never = new AbortController().signal;

const spans = [fingerprint({ path: "a/lights.md", lines: { start: 3, end: 4 } }, LINES)];

async function notes(files: Readonly<Record<string, string>>): Promise<string[]> {
	const read: Knowledge["read"] = async ({ target }) => {
		const path = /^\[(.*):/.exec(target)?.[1] ?? "";
		const text = files[path];
		const part = { uri: "", path, lines: { start: 1, end: 1 }, title: "" };
		const parts = text === undefined ? [] : [{ ...part, text }];
		return { parts, totalCharacters: 0, truncated: false, links: [], suggestions: [] };
	};
	const [noted] = await withNotes({ read }, [oneTurn(0, { spans })], never);
	return (noted?.events ?? []).map((event) => (event.kind === "notice" ? event.text : event.kind));
}

const A = "a/lights.md";
const CHANGED = FILE.replace("41", "43");
const MOST_SIMILAR = "has changed since this answer; a/lights.md:4-5 is now most similar to it.";
const GONE = "has changed since this answer: what was cited is no longer in the file.";

test("only cited lines that moved, changed or disappeared get a notice, with the new or most similar lines", async () => {
	for (const [files, ...told] of [
		[{ [A]: FILE }],
		[{ [A]: `New.\n${FILE}` }, "is now at a/lights.md:4-5."],
		[{ [A]: CHANGED }, "has changed since this answer."],
		[{ [A]: `New.\n${CHANGED}` }, MOST_SIMILAR],
		[{ [A]: "All is new." }, GONE],
		[{}, "can no longer be read."],
	] as const)
		assertMapped(told, (words) => `a/lights.md:3-4 ${words}`, await notes(files));
	const old = oneTurn(0, {});
	const read = () => Promise.reject(new Error("It is not read."));
	assert.deepEqual(await withNotes({ read }, [old], never), [old]);
});
