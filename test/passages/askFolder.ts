import type { TestContext } from "node:test";
import type { AgentEvent, AgentRequest } from "../../src/core/agent/agentEvent.ts";
import { formatCitation } from "../../src/core/knowledge/citation.ts";
import type { Folder } from "../../src/core/knowledge/knowledge.ts";
import { createPassages } from "../../src/passages/passages.ts";
import { never, startIn, unheard } from "../worker/workerProcess.ts";
import { type Files, makeWorkspace } from "../worker/workspace.ts";

/** Asks the real index of some files, or of a folder; the answer is as the chat gets it, citations in brackets. */
export async function askFolder(
	t: TestContext,
	files: Files,
	folder?: Folder,
): Promise<(question: string, attached?: Partial<AgentRequest>) => Promise<string>> {
	const { knowledge } = await startIn(t, await makeWorkspace(t, files), folder ? { folders: [folder] } : {});
	await knowledge.index({ rebuild: false }, unheard, never);
	const run = createPassages({
		search: ({ question }, asked, signal) =>
			knowledge.search({ query: question, limit: 8, door: "chat", ...asked }, signal),
	});
	return async (question, attached) => {
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
