import { Failure } from "../../base/failure.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import type { Attachment } from "../../core/agent/agentEvent.ts";
import {
	type Admit,
	pinnedFor,
	type Tool,
	type ToolContext,
	type ToolResult,
	type TurnHooks,
} from "../../core/agent/tool.ts";
import type { AgentPorts } from "../ports.ts";
import type { KeptCalls } from "./keptCalls.ts";

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
