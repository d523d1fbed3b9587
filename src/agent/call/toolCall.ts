import { Failure, isFailure, messageOf } from "../../base/failure.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import type { Attachment } from "../../core/agent/agentEvent.ts";
import {
	type Admit,
	type PinnedTool,
	pinnedFor,
	type Tool,
	type ToolContext,
	type ToolResult,
	type TurnHooks,
} from "../../core/agent/tool.ts";
import { type Assets, withAssetName } from "../assets/assetShelf.ts";
import { fillRefs } from "../assets/fillRefs.ts";
import { pointedTo } from "../assets/lookUp.ts";
import type { AgentPorts } from "../ports.ts";

interface ToolCall {
	readonly tool: Tool;
	readonly input: unknown;
	readonly context: ToolContext;
}

export type RecordCall = (call: ToolCall, run: () => Promise<ToolResult>) => Promise<ToolResult>;

/** What is between a caller and the bodies of our tools; each part is absent if the caller has none. */
export interface CallSteps {
	readonly results?: KeptCalls | undefined;
	readonly record?: RecordCall | undefined;
	readonly hooks?: TurnHooks | undefined;
	/** Decides on a call by the rules. Absent only for tools that decide further in. */
	readonly admit?: Admit;
}

/** The way of every call of a tool of ours, from its caller to its body and back. */
export async function callTool(
	{ tool, input: given, context }: ToolCall,
	{ results, record = (_, run) => run(), hooks, admit }: CallSteps,
): Promise<ToolResult> {
	// A call that reads an earlier result again runs nothing.
	const before = results?.readBack(tool, given);
	if (before) return before;
	// References become values, so that all that follows sees the input that will run.
	const asGiven = results ? await pinnedFor(tool, given, context.signal) : tool;
	const input = results ? results.filled(asGiven, given) : given;
	const result = await record({ tool, input, context }, async () => {
		// What files say of the tool is decided about, and runs, whatever they say meanwhile.
		const now = await pinnedFor(tool, input, context.signal);
		// Hooks may refuse before the user is asked, and add data to the result.
		return hooked({ tool: now, input, context }, hooks, async () => {
			await admit?.(now, input, context);
			return now.run(input, context);
		});
	});
	return results ? { ...result, text: results.keep({ tool: asGiven, input }, result.text) } : result;
}

export function withSteps(tools: readonly Tool[], steps: CallSteps): Tool[] {
	return tools.map((tool) => {
		// What is pinned would run without the steps.
		const { pinned: _, ...plain } = tool;
		return { ...plain, run: (input, context) => callTool({ tool, input, context }, steps) };
	});
}

async function hooked(
	{ tool: { name }, input, context }: ToolCall,
	hooks: TurnHooks | undefined,
	run: () => Promise<ToolResult>,
): Promise<ToolResult> {
	if (!hooks) return run();
	const notes: string[] = [];
	let result: ToolResult | undefined;
	const around = hookedCalls(hooks, (text) => notes.push(`Note: ${text}`));
	const runTool = around(async () => {
		result = await run();
		return result.text;
	});
	const text = await runTool({ id: "", name, input }, context.signal);
	return { ...result, text: [text, ...notes].join("\n\n") };
}

type RunTool = AgentPorts["runTool"];

/** Runs calls of tools with hooks before and after them; a call that one refuses does not run. */
export function hookedCalls(hooks: TurnHooks, tell: (notice: string) => void) {
	return (runTool: RunTool): RunTool =>
		async (call, signal) => {
			const asked = { tool: call.name, input: call.input };
			const before = await hooks.before(asked, signal);
			before.notices.forEach(tell);
			if (before.denial !== undefined) {
				tell(`${before.denial} The call of ${visibleText(call.name)} did not run.`);
				throw new Failure("NOT_ALLOWED", before.denial);
			}
			const result = await runTool(call, signal);
			const after = await hooks.after({ ...asked, result }, signal);
			after.notices.forEach(tell);
			return [result, ...[...before.context, ...after.context].map(contextText)].join("\n\n");
		};
}

export function contextText({ name, text }: Attachment): string {
	return `${name}:\n${text}`;
}

/** The calls of a loop that is not ours. Their results are kept, and passed on by reference. */
type KeptCalls = ReturnType<typeof createKeptCalls>;

export function createKeptCalls(assets: Assets, isNamed: (tool: Tool & Partial<PinnedTool>) => boolean) {
	return {
		/** What a call reads of an earlier result, if it does. Throws a `Failure` that lists the available results. */
		readBack: ({ name }: Tool, input: unknown) => {
			const text = told(() => pointedTo({ id: "", name, input }, assets));
			if (text === undefined) return undefined;
			// As `read_resource` has it: what is read back has no structure but its text.
			const whole = { parts: [], links: [], totalCharacters: text.length, truncated: false, text };
			return { text, structured: whole };
		},
		/** An input with what its references lead to. Throws a `Failure`. */
		filled: ({ inputSchema }: Tool, input: unknown) => told(() => fillRefs(input, inputSchema, assets)),
		/** The text of a result, with the name that it is kept under if the model needs to know it. */
		keep: ({ tool, input }: { readonly tool: Tool; readonly input: unknown }, text: string) => {
			const number = assets.add({ name: tool.name, input: Object(input), text });
			return isNamed(tool) ? withAssetName(text, number) : text;
		},
	};
}

/** A reference that leads nowhere is a mistake of the model, which can do better. */
function told<Value>(look: () => Value): Value {
	try {
		return look();
	} catch (thrown) {
		throw isFailure(thrown) ? thrown : new Failure("BAD_INPUT", messageOf(thrown), { cause: thrown });
	}
}
