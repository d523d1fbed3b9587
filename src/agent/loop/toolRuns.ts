import { messageOf } from "../../base/failure.ts";
import type { ToolCall } from "../../core/agent/message.ts";
import { uncited } from "../../core/knowledge/citation.ts";
import type { AgentPorts } from "../ports.ts";
import { type CutNote, plainNote } from "../window/cut.ts";

interface ToolOutcome {
	readonly call: ToolCall;
	readonly ok: boolean;
	/** What the model shall read. */
	readonly text: string;
}

/** The calls of one turn, and what they gave. */
export interface ToolRuns {
	/** Never rejects for a tool that fails: the model reads why, and may do better. */
	run(call: ToolCall, signal: AbortSignal): Promise<ToolOutcome>;
	/** Says where the rest of a call's result is to be read. */
	noteOf(call: ToolCall): CutNote;
}

/** The tool that follows a pointer, whatever its host calls it. */
const READ_TOOL = /(?:^|_)read_resource$/;
const SCHEME = "copilot-ld-result:";
const POINTER = /^copilot-ld-result:(\d+)(?::(\d+)(?:-(\d+))?)?$/;
/** Lines that a pointer gives when it names none, or only the first. */
const LINES = 200;
/** A line that is longer is broken: a pointer names lines. */
const LONGEST_LINE = 2000;

export function createToolRuns(ports: Pick<AgentPorts, "runTool" | "tools" | "isSteady">): ToolRuns {
	/** By their numbers, from 1. */
	const results: string[] = [];
	const numbers = new Map<string, number>();
	const running = new Map<string, Promise<ToolOutcome>>();
	const readTool = ports.tools.find(({ name }) => READ_TOOL.test(name))?.name;

	const runAnew = async (call: ToolCall, signal: AbortSignal): Promise<ToolOutcome> => {
		try {
			const text = breakLines(pointedTo(call, results) ?? (await ports.runTool(call, signal)));
			numbers.set(call.id, results.push(text));
			return { call, ok: true, text };
		} catch (thrown) {
			signal.throwIfAborted();
			return { call, ok: false, text: uncited(`The tool failed: ${messageOf(thrown)}`) };
		}
	};
	const repeat = async (call: ToolCall, earlier: Promise<ToolOutcome>, signal: AbortSignal) => {
		const { ok, call: first } = await earlier;
		if (!ok) return runAnew(call, signal);
		const number = numbers.get(first.id);
		const more = readTool ? ` If it was cut, call ${readTool} with target "${SCHEME}${number}".` : "";
		return {
			call,
			ok: true,
			text: `You made this very call before in this turn: its result stands there.${more}`,
		};
	};
	return {
		run: (call, signal) => {
			const key = JSON.stringify([call.name, call.input]);
			const earlier = running.get(key);
			if (earlier !== undefined && ports.isSteady?.(call.name)) return repeat(call, earlier, signal);
			const outcome = runAnew(call, signal);
			running.set(key, outcome);
			return outcome;
		},
		noteOf: ({ id }) => {
			const number = numbers.get(id);
			return number && readTool ? pointerNote(readTool, number) : plainNote;
		},
	};
}

function pointerNote(readTool: string, number: number): CutNote {
	return ({ shown, total }) =>
		`\n(cut: ${shown} of ${total} lines; for more call ${readTool} with target "${SCHEME}${number}:${shown + 1}-${Math.min(total, shown + LINES)}")`;
}

/** The lines that a call points to; `undefined` where it does not point to a result. */
function pointedTo({ name, input }: ToolCall, results: readonly string[]): string | undefined {
	const target = typeof input === "object" && input !== null && "target" in input ? input.target : undefined;
	if (!READ_TOOL.test(name) || typeof target !== "string" || !target.startsWith(SCHEME)) return undefined;
	const [, number, from = "1", to] = POINTER.exec(target) ?? [];
	const lines = results[Number(number) - 1]?.split("\n");
	if (!lines) throw new Error(`There is no result ${target}. Copy the target from the note of a cut result.`);
	const first = Math.max(1, Number(from));
	const last = Math.min(lines.length, to === undefined ? first + LINES - 1 : Number(to));
	if (first > last) throw new Error(`That result has ${lines.length} lines.`);
	return `Lines ${first}-${last} of ${lines.length}:\n${lines.slice(first - 1, last).join("\n")}`;
}

function breakLines(text: string): string {
	const longer = new RegExp(`[^\\n]{${LONGEST_LINE}}(?=[^\\n])`, "g");
	return text.replace(longer, "$&\n");
}
