import { messageOf } from "../../base/failure.ts";
import { boundedText } from "../../base/text/visibleText.ts";
import type { Attachment } from "../../core/agent/agentEvent.ts";
import type { ToolCall } from "../../core/agent/message.ts";
import { uncited } from "../../core/knowledge/citation.ts";
import { type Assets, createAssetShelf } from "../assets/assetShelf.ts";
import { fillRefs, mayTakeRefs } from "../assets/fillRefs.ts";
import { breakLines, LINES, pointedTo, READ_TOOL, SCHEME } from "../assets/pointedTo.ts";
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

/** Characters of an input that tell a call from others. */
const ABOUT = 120;
/** Earlier results that a model is told of. */
const TOLD = 8;

/** Results are kept with those of the session, where there is one, and for the turn otherwise. */
export function createToolRuns(
	ports: Pick<AgentPorts, "runTool" | "tools" | "isSteady">,
	assets: Assets = createAssetShelf().of(undefined),
): ToolRuns {
	const numbers = new Map<string, number>();
	const running = new Map<string, Promise<ToolOutcome>>();
	const readTool = ports.tools.find(({ name }) => READ_TOOL.test(name))?.name;
	const schemas = new Map(ports.tools.map(({ name, inputSchema }) => [name, inputSchema]));
	const refersToResults = ports.tools.some(({ inputSchema }) => mayTakeRefs(inputSchema));

	const runAnew = async (call: ToolCall, signal: AbortSignal): Promise<ToolOutcome> => {
		try {
			const input = fillRefs(call.input, schemas.get(call.name) ?? {}, assets);
			const part = pointedTo(call, assets);
			const text = part ?? (await ports.runTool({ ...call, input }, signal));
			const about = part === undefined ? boundedText(JSON.stringify(call.input ?? {}), ABOUT) : "";
			const number = assets.add({ name: call.name, about, text });
			numbers.set(call.id, number);
			const name = refersToResults ? `\n(this result is asset://${number})` : "";
			return { call, ok: true, text: breakLines(text) + name };
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

/** What a later turn of a session is told of what tools gave before; nothing where no tool can read it. */
export function earlierResults(
	{ tools, assets }: Pick<AgentPorts, "tools" | "assets">,
	session: string | undefined,
): Attachment[] {
	const readTool = tools.find(({ name }) => READ_TOOL.test(name))?.name;
	const results = session === undefined ? [] : (assets?.of(session).all() ?? []);
	const told = results.filter(({ about }) => about !== "").slice(-TOLD);
	if (readTool === undefined || told.length === 0) return [];
	const lines = told.map(({ number, name, about }) => `${SCHEME}${number}: ${name} with ${about}`);
	return [
		{ name: `results of earlier turns, which ${readTool} reads again`, text: uncited(lines.join("\n")) },
	];
}

function pointerNote(readTool: string, number: number): CutNote {
	return ({ shown, total }) =>
		`\n(cut: ${shown} of ${total} lines; for more call ${readTool} with target "${SCHEME}${number}:${shown + 1}-${Math.min(total, shown + LINES)}")`;
}
