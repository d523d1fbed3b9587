import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { AgentEvent, AgentRequest } from "../../src/core/agent/agentEvent.ts";
import { formatCitation } from "../../src/core/knowledge/citation.ts";
import type { Folder } from "../../src/core/knowledge/knowledge.ts";
import { shareStaticEmbedder } from "../../src/embed/builtIn/staticEmbedder.ts";
import { createPassages } from "../../src/passages/passages.ts";
import type { Retriever } from "../../src/retrieve/search.ts";
import { indexFiles } from "../retrieve/filesIndex.ts";
import { type Files, MODEL_FOLDER, makeWorkspace, never, startIn, unheard } from "../worker/workspace.ts";

/** Returns a function that asks the real index of some files, or of a folder. */
export async function askFolder(t: TestContext, files: Files, folder?: Folder) {
	const { knowledge } = await startIn(t, await makeWorkspace(t, files), folder ? { folders: [folder] } : {});
	await knowledge.index({ rebuild: false }, unheard, never);
	return asking((query, signal) => knowledge.search({ ...query, channel: "chat" }, signal));
}

/** Returns a function that asks files indexed in this process. */
export async function askFiles(t: TestContext, files: Readonly<Record<string, string>>) {
	const { search } = await indexFiles(t, files, { embedder: await shareStaticEmbedder(MODEL_FOLDER) });
	return asking(search);
}

/** Matches an answer that says only that the folder has none. */
export const NOTHING = /^Nothing in this folder answers that\.(?:\n\n---\n\nNearest places:\n\n|$)/;

/** By question: the whole answer, or a pattern that it matches. */
type Answers = Readonly<Record<string, string | RegExp>>;

export async function assertAnswers(ask: ReturnType<typeof asking>, expected: Answers): Promise<void> {
	for (const [question, answer] of Object.entries(expected))
		if (typeof answer === "string") assert.equal(await ask(question), answer, question);
		else assert.match(await ask(question), answer, question);
}

export function testAnswers(title: string, files: Readonly<Record<string, string>>, expected: Answers): void {
	test(title, async (t) => assertAnswers(await askFiles(t, files), expected));
}

/** Answers have the format of the chat: citations in brackets. */
function asking(search: Retriever["search"]) {
	const run = createPassages({
		search: ({ question }, asked, signal) => search({ query: question, limit: 8, ...asked }, signal),
	});
	return async (question: string, attached?: Partial<AgentRequest>): Promise<string> => {
		const words: string[] = [];
		for await (const event of run({ question, history: [], attachments: [], ...attached }, never))
			words.push(wordsOf(event));
		return words.join("").trim();
	};
}

function wordsOf(event: AgentEvent): string {
	if (event.kind === "text") return event.text;
	if (event.kind === "notice") return `\n(${event.text})`;
	return event.kind === "citation" ? formatCitation(event.citation) : "";
}
