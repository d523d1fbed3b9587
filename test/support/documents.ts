import assert from "node:assert/strict";
import type { ParsedDocument } from "../../src/core/knowledge/document.ts";
import { parseDocument } from "../../src/knowledge/formats.ts";

export async function documentOf(uri: string, content: string | Uint8Array): Promise<ParsedDocument> {
	const outcome = await parseDocument(uri, Buffer.from(content));
	assert.ok("document" in outcome, JSON.stringify(outcome));
	return outcome.document;
}

/** Passages of the document's text as `start-end title: text`. */
export function readableIn({ passages }: ParsedDocument): string[] {
	return passages
		.filter(({ resource }) => resource === undefined)
		.map(({ lines, title, text }) => `${lines.start}-${lines.end} ${title}: ${text}`);
}
