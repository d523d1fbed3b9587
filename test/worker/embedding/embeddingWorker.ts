import type { IndexStatus } from "../../../src/core/knowledge/knowledge.ts";
import type { Files } from "../workspace.ts";

export const NOTES = 700;

export function manyFiles(count: number): Files {
	const noteOf = (at: number) => `# Note ${at}\n\nKeeper ${at} lights the lamp.\n`;
	return Object.fromEntries(Array.from({ length: count }, (_, at) => [`many/${at}.md`, noteOf(at)]));
}

/** More notes than are embedded in one commit; ten per file, because files take longest. */
export function manyNotes(): Files {
	const notes = Object.values(manyFiles(NOTES));
	const fileOf = (at: number) => notes.slice(at * 10, at * 10 + 10).join("\n");
	return Object.fromEntries(Array.from({ length: NOTES / 10 }, (_, at) => [`many/${at}.md`, fileOf(at)]));
}

/** Whether some but not all passages have their new vectors. */
export function isBegun({ notices }: IndexStatus): boolean {
	return /mbedding with .*: [1-9]\d* of \d/.test(notices.join());
}

export function endpointSettings(endpoint: string, model = "words") {
	return { embedding: { provider: "openai-compatible", endpoint, model } } as const;
}

export function isComplete(model: string) {
	return ({ embedder, notices, legs }: IndexStatus): boolean =>
		embedder === model && legs.includes("vector") && !notices.some((notice) => /mbedding with/.test(notice));
}
