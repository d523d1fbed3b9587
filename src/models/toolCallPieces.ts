import { readModelJson } from "../base/text/modelJson.ts";
import { isRecord } from "../base/values.ts";
import { valueAt } from "./jsonPath.ts";

/** A call as it came, with its arguments as they were written. */
export interface WrittenCall {
	readonly id: string;
	readonly name: string;
	readonly input: string;
}

/** Assembles the calls of an answer, whose arguments come in pieces. */
export interface ToolCallPieces {
	/** What an answer has under `tool_calls`, whatever that is. Whether there are not too many yet. */
	add(pieces: unknown): boolean;
	/** The complete calls, in order. */
	calls(): WrittenCall[];
}

/** No model means to do more at once. */
const MOST_CALLS = 128;

export function createToolCallPieces(): ToolCallPieces {
	const begun: { index: number | undefined; id: string; name: string; input: string[] }[] = [];
	const addOne = (piece: unknown) => {
		const [index, id] = [indexOf(piece), textAt(piece, "id")];
		const open = begun.findLast((call) => index === undefined || call.index === index);
		// Some servers give every call the index 0; a new id means a new call.
		const isNew = !open || (id !== "" && open.id !== "" && id !== open.id);
		const call = isNew ? { index, id: "", name: "", input: [] } : open;
		if (isNew) begun.push(call);
		call.id ||= id;
		call.name ||= textAt(piece, "function", "name");
		call.input.push(argumentsOf(piece));
	};
	return {
		add: (pieces) => {
			for (const piece of Array.isArray(pieces) ? pieces : []) {
				addOne(piece);
				if (begun.length > MOST_CALLS) return false;
			}
			return true;
		},
		calls: () =>
			begun
				.filter(({ name }) => name !== "")
				.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0))
				.map(({ id, name, input }) => ({
					id: id || `call_${crypto.randomUUID()}`,
					name,
					input: input.join(""),
				})),
	};
}

function indexOf(piece: unknown): number | undefined {
	const index = valueAt(piece, "index");
	return typeof index === "number" ? index : undefined;
}

function textAt(piece: unknown, ...path: readonly string[]): string {
	const text = valueAt(piece, ...path);
	return typeof text === "string" ? text : "";
}

/** Some servers give them as they are meant, not as text. */
function argumentsOf(piece: unknown): string {
	const written = valueAt(piece, "function", "arguments");
	return isRecord(written) ? JSON.stringify(written) : textAt(piece, "function", "arguments");
}

/** Tools expect an object. `undefined` where it is none, or was cut short: what was meant cannot be known then. */
export function readArguments(input: string): object | undefined {
	if (/^\s*(?:null)?\s*$/.test(input)) return {};
	const value = readModelJson(input);
	return isRecord(value) ? value : undefined;
}
