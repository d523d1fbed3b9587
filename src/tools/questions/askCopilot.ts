import { Failure } from "../../base/failure.ts";
import type { PinnedTool, ToolContext } from "../../core/agent/tool.ts";
import { commandOf } from "../../core/plugin/plugin.ts";

/** Copilots that may wait for each other. */
const DEEPEST = 3;

/** The context for calls of a copilot. Throws a `Failure` if copilots call each other in a circle, or too deeply. */
export function contextInside(name: string, context: ToolContext): ToolContext {
	const { asking = [] } = context;
	const way = [...asking, name].join(", which asks ");
	if (asking.includes(name))
		throw new Failure("NOT_ALLOWED", `${way}: it would ask itself without end. Go on without it.`);
	if (asking.length >= DEEPEST)
		throw new Failure(
			"NOT_ALLOWED",
			`${way}: copilots may ask each other ${DEEPEST} deep. Go on without this one.`,
		);
	return { ...context, asking: [...asking, name] };
}

/** The commands that a copilot may call, each in what the copilot was called in. */
export function commandsOf(
	plugins: readonly string[],
	all: readonly PinnedTool[],
	inside: ToolContext,
): PinnedTool[] {
	const { asking = [] } = inside;
	const within = (tool: PinnedTool): PinnedTool => ({
		...tool,
		pinned: async () => within(tool),
		run: (input, context) => tool.run(input, { ...context, asking }),
	});
	return all.filter(({ name }) => plugins.includes(commandOf(name)?.plugin ?? "")).map(within);
}
