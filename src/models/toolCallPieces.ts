import type { ChatCompletionChunk } from "openai/resources";
import type { ToolCall } from "../core/agent/message.ts";

type Piece = ChatCompletionChunk.Choice.Delta.ToolCall;

/** Puts the calls of an answer together: their arguments come in pieces. */
export interface ToolCallPieces {
	add(pieces: readonly Partial<Piece>[]): void;
	/** Those that are whole, in order. */
	calls(): ToolCall[];
}

export function createToolCallPieces(): ToolCallPieces {
	const begun: { index: number | undefined; id: string; name: string; input: string }[] = [];
	const addOne = ({ index, id = "", function: called = {} }: Partial<Piece>) => {
		const open = begun.findLast((call) => index === undefined || call.index === index);
		// Some servers count every call as the first; another id is another call.
		const isNew = !open || (id !== "" && open.id !== "" && id !== open.id);
		const call = isNew ? { index, id: "", name: "", input: "" } : open;
		if (isNew) begun.push(call);
		call.id ||= id;
		call.name ||= called.name ?? "";
		call.input += called.arguments ?? "";
	};
	return {
		add: (pieces) => pieces.forEach(addOne),
		calls: () =>
			begun
				.filter(({ name }) => name !== "")
				.map(({ id, name, input }) => ({
					id: id || `call_${crypto.randomUUID()}`,
					name,
					input: read(input),
				})),
	};
}

/** An object, as tools want one. What is none is for the tool to refuse, which tells the model what is missing. */
function read(input: string): object {
	try {
		const value: unknown = JSON.parse(input);
		return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
	} catch {
		return {};
	}
}
