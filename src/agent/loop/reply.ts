import type { AgentEvent, ModelPart, ToolCall } from "../../core/agent/agentEvent.ts";

/** One answer of the model. */
export interface Reply {
	text: string;
	readonly calls: ToolCall[];
	/** What the server counted; absent if it did not. */
	usage?: Extract<ModelPart, { readonly kind: "usage" }>;
	/** What it must be read with. */
	readonly notices: AgentEvent[];
	isCut: boolean;
}

/** Passes on what is shown as it comes, and notes the rest. */
export async function* collect(
	parts: AsyncIterable<ModelPart>,
	into: Reply,
	signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
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
