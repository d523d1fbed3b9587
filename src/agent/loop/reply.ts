import { boundedText, escapeMarkdown, visibleText } from "../../base/text/visibleText.ts";
import type { AgentEvent, ModelPart, ToolCall } from "../../core/agent/agentEvent.ts";
import { uncited } from "../../core/knowledge/citation.ts";
import type { SearchResult } from "../../core/knowledge/knowledge.ts";

export interface Reply {
	text: string;
	readonly calls: ToolCall[];
	/** Tokens that the server counted; missing if the server counted none. */
	usage?: Extract<ModelPart, { readonly kind: "usage" }>;
	readonly notices: AgentEvent[];
	isCut: boolean;
}

export async function* collect(parts: AsyncIterable<ModelPart>, into: Reply, signal: AbortSignal) {
	for await (const part of parts) {
		signal.throwIfAborted();
		const shown = take(part, into);
		if (shown) yield shown;
	}
}

function take(part: ModelPart, into: Reply): AgentEvent | undefined {
	switch (part.kind) {
		case "text":
			into.text += part.text;
			return part;
		case "thought":
			return part;
		case "toolCall":
			into.calls.push(part.call);
			return undefined;
		case "notice":
			into.notices.push({ kind: "notice", text: part.text });
			into.isCut ||= part.isCut === true;
			return undefined;
		case "usage":
			if (part.inputTokens > 0) into.usage = part;
			return undefined;
		case "finished":
			return undefined;
	}
}

const PASSAGES = 3;
const SHOWN = 400;

const FOUND =
	"The language model gave an empty answer; these passages were found for the question. Ask in other words, or choose another model.";
const NOTHING =
	"The language model gave an empty answer, and no passage was found for the question. Ask in other words, or choose another model.";

export function* quoteFound({ hits }: SearchResult): Generator<AgentEvent> {
	const shown = hits.slice(0, PASSAGES);
	yield { kind: "notice", text: shown.length > 0 ? FOUND : NOTHING };
	for (const { text, path, lines } of shown) {
		yield { kind: "text", text: `- ${escapeMarkdown(uncited(visibleText(boundedText(text, SHOWN))))} ` };
		yield { kind: "citation", citation: { path, lines } };
		yield { kind: "text", text: "\n" };
	}
	const quoted = { kind: "nothing", items: [], isComplete: false } as const;
	yield { kind: "ended", reason: "done", isQuoted: true, quoted };
}
