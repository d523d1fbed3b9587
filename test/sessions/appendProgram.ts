import { writeSync } from "node:fs";
import type { JournalEntry } from "../../src/core/session/journalEntry.ts";
import { createJournals } from "../../src/sessions/journal/journals.ts";
import { ANNA, turnOf, NOTHING_HIDDEN as visibility } from "./turns.ts";

// Appends turns to several sessions concurrently until it is killed, and prints each saved turn.
const [folder = "", name = "", run = "", mode = ""] = process.argv.slice(2);
const SESSIONS = 3;
const append = mode === "indexed" ? await openIndexed() : createJournals(folder, [ANNA]).append;
await Promise.all(Array.from({ length: SESSIONS }, (_, index) => talk(`${name}-${index}`)));

async function talk(id: string): Promise<void> {
	await append(id, [{ kind: "session", at: Date.now(), engine: "model", workspace: "" }]);
	for (let turn = 0; ; turn++) {
		const text = `question ${turn} of run ${run} in ${id}`;
		const [question, answer] = turnOf(turn, text, "words ".repeat(20 + (turn % 500)));
		if (!question || !answer) return;
		await append(id, [question]);
		await append(id, [answer]);
		// Written synchronously: a buffer of this process would be lost with it.
		writeSync(1, `${id}\t${text}\n`);
	}
}

async function openIndexed(): Promise<(id: string, entries: readonly JournalEntry[]) => Promise<void>> {
	const { openSessions } = await import("../../src/sessions/openSessions.ts");
	const unheard = () => undefined;
	const options = {
		...{ folder, embedder: undefined, visibility, onChange: unheard, onError: unheard },
		reader: [ANNA] as const,
	};
	const { sessions } = openSessions(options);
	return (id, entries) => sessions.append(id, entries, new AbortController().signal);
}
