import { readFile } from "node:fs/promises";
import { join } from "node:path";

export interface AuditLine {
	readonly effect: string;
	readonly by: string;
	readonly request: { readonly tool: string; readonly title: string; readonly session?: string };
}

/** Reads from disk the last decision on a call whose title contains the word. */
export async function decisionAbout(globalStorage: string, word: string): Promise<AuditLine | undefined> {
	const log = join(globalStorage, "copilot-ld.copilot-ld", "permissions", "audit.jsonl");
	const lines = (await readFile(log, "utf8")).split("\n").filter(Boolean);
	return lines
		.map((text) => JSON.parse(text) as AuditLine)
		.findLast(({ request }) => request.title.includes(word));
}
