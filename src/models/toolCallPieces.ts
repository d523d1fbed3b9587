import type { ChatCompletionChunk } from "openai/resources";
import type { ToolCall } from "../core/agent/message.ts";

type Piece = ChatCompletionChunk.Choice.Delta.ToolCall;

/** Assembles the calls of an answer, whose arguments come in pieces. */
export interface ToolCallPieces {
	add(pieces: readonly Partial<Piece>[]): void;
	/** The complete calls, in order. */
	calls(): ToolCall[];
}

export function createToolCallPieces(): ToolCallPieces {
	const begun: { index: number | undefined; id: string; name: string; input: string }[] = [];
	const addOne = ({ index, id = "", function: called = {} }: Partial<Piece>) => {
		const open = begun.findLast((call) => index === undefined || call.index === index);
		// Some servers give every call the index 0; a new id means a new call.
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

/** Tools expect an object. Anything else the tool refuses itself, telling the model what is missing. */
function read(input: string): object {
	try {
		const value: unknown = JSON.parse(input);
		return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
	} catch {
		return {};
	}
}
