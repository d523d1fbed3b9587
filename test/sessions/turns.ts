import { rulesByChannel } from "../../src/core/permission/permission.ts";
import type { JournalEntry } from "../../src/core/session/journalEntry.ts";
import type { Person } from "../../src/core/session/memory.ts";
import type { Visibility } from "../../src/sessions/visibility/visibility.ts";

export const WORKSPACE = "file:///projects/atlas";
export const ANNA: Person = { source: "system", id: "anna", label: "anna" };
export const NOTHING_HIDDEN: Visibility = {
	rules: async () => rulesByChannel(() => []),
	sees: async () => true,
};
export const BERIT: Person = { source: "github", id: "42", label: "berit" };

export function conversation(
	turns: readonly (readonly [question: string, answer: string])[],
	{ workspace = WORKSPACE, at = Date.now() - 60_000 }: { workspace?: string; at?: number } = {},
): JournalEntry[] {
	return [
		{ kind: "session", at, engine: "model", workspace },
		...turns.flatMap(([question, answer], turn) => turnOf(turn, question, answer, at + turn)),
	];
}

export function turnOf(turn: number, question: string, answer: string, at = Date.now()): JournalEntry[] {
	return [
		{ kind: "question", at, turn, text: question, attachments: [] },
		{ kind: "answer", at, turn, text: answer, outcome: "done", inputTokens: 10, outputTokens: 5 },
	];
}
