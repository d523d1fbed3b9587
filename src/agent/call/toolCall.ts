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
import { type Assets, fillRefs, pointedTo, withAssetName } from "../assets/assets.ts";
import type { AgentPorts } from "../ports.ts";

interface ToolCall {
	readonly tool: Tool;
	readonly input: unknown;
	readonly context: ToolContext;
}

export type RecordCall = (call: ToolCall, run: () => Promise<ToolResult>) => Promise<ToolResult>;

export interface CallSteps {
	readonly results?: KeptCalls | undefined;
	readonly record?: RecordCall | undefined;
	readonly hooks?: TurnHooks | undefined;
	/** Applies the permission rules. Missing only for tools that apply the rules themselves. */
	readonly admit?: Admit;
}

export async function callTool(
	{ tool, input: given, context }: ToolCall,
	{ results, record = (_, run) => run(), hooks, admit }: CallSteps,
): Promise<ToolResult> {
	const before = results?.readBack(tool, given);
	if (before) return before;
	// References are replaced first, so that all later steps see the final input.
	const asGiven = results ? await pinnedFor(tool, given, context.signal) : tool;
	const input = results ? results.filled(asGiven, given) : given;
	const result = await record({ tool, input, context }, async () => {
		// Pins the tool's files, so that the version that is judged is the version that runs.
		const now = await pinnedFor(tool, input, context.signal);
		// Hooks may deny a call before the user is asked, and add data to the result.
		return hooked({ tool: now, input, context }, hooks, async () => {
			await admit?.(now, input, context);
			return now.run(input, context);
		});
	});
	return results ? { ...result, text: results.keep({ tool: asGiven, input }, result.text) } : result;
}

export function withSteps(tools: readonly Tool[], steps: CallSteps): Tool[] {
	return tools.map((tool) => {
		// `pinned` is omitted, because the tool that it returns would run without the steps.
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

/** Keeps results for agent loops of other programs, which can then pass them on by reference. */
type KeptCalls = ReturnType<typeof createKeptCalls>;

export function createKeptCalls(assets: Assets, isNamed: (tool: Tool & Partial<PinnedTool>) => boolean) {
	return {
		/** Returns an earlier result if the call reads one. Throws a `Failure` that lists the available results. */
		readBack: ({ name }: Tool, input: unknown) => {
			const text = told(() => pointedTo({ id: "", name, input }, assets));
			if (text === undefined) return undefined;
			// The structure of `read_resource`, with the whole text.
			const whole = { parts: [], links: [], totalCharacters: text.length, truncated: false, text };
			return { text, structured: whole };
		},
		filled: ({ inputSchema }: Tool, input: unknown) => told(() => fillRefs(input, inputSchema, assets)),
		/** Returns the text of the result, with its name for references if the model needs the name. */
		keep: ({ tool, input }: { readonly tool: Tool; readonly input: unknown }, text: string) => {
			const number = assets.add({ name: tool.name, input: Object(input), text });
			return isNamed(tool) ? withAssetName(text, number) : text;
		},
	};
}

/** Turns errors about references into BAD_INPUT, so that the model can correct its call. */
function told<Value>(look: () => Value): Value {
	try {
		return look();
	} catch (thrown) {
		throw isFailure(thrown) ? thrown : new Failure("BAD_INPUT", messageOf(thrown), { cause: thrown });
	}
}
