import type * as vscode from "vscode";
import { escapeMarkdown } from "../../base/markdown.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import { type Citation, escapePath, formatCitation } from "../../core/knowledge/citation.ts";
import { locationOf } from "../folders.ts";

/** Writes the events of a turn to the chat. */
export function createEventView(stream: vscode.ChatResponseStream): (event: AgentEvent) => void {
	const referenced = new Set<string>();
	const cite = (citation: Citation) => {
		const mark = formatCitation(citation);
		const location = locationOf(citation);
		if (!location) return stream.markdown(escapeMarkdown(mark));
		if (!referenced.has(mark)) stream.reference(location);
		referenced.add(mark);
		return stream.anchor(location, anchorTitle(citation));
	};
	return (event) => {
		switch (event.kind) {
			case "progress":
				return stream.progress(escapeMarkdown(event.text));
			case "notice":
				return stream.markdown(`\n\n> ${escapeMarkdown(event.text)}\n\n`);
			case "text":
				return stream.markdown(event.text);
			case "citation":
				return cite(event.citation);
			case "ended":
				return event.reason === "roundLimit" ? stream.markdown(ROUND_LIMIT) : undefined;
			case "retrieved":
			case "toolStarted":
			case "toolUpdated":
			case "toolFinished":
			case "diff":
			case "plan":
			case "thought":
			case "permission":
			case "context":
			case "usage":
			case "window":
				// VS Code itself shows the calls; passages are shown where they are cited.
				return undefined;
		}
	};
}

const ROUND_LIMIT =
	"\n\n> The model wanted more tool calls than `copilot-ld.agent.maxRounds` allows. Ask again to let it go on.";

/** `atlas.md:12`: enough to know the file; the references hold the whole path. */
function anchorTitle({ path, lines }: Citation): string {
	return `${escapePath(path.slice(path.lastIndexOf("/") + 1))}:${lines.start}`;
}
