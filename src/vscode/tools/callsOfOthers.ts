import { type AssetShelf, createAssetShelf } from "../../agent/assets/assetShelf.ts";
import { createKeptCalls, type KeptCalls } from "../../agent/assets/keptCalls.ts";
import { hookedTools } from "../../agent/loop/hookedTurn.ts";
import { type PinnedTool, pinnedFor, type Tool, type ToolContext } from "../../core/agent/tool.ts";
import type { TurnHooks } from "../../core/agent/turnHooks.ts";
import type { ChatOrigins } from "./chatOrigins.ts";

/** Calls of our tools by agents that are not ours: what our own loop does around its calls is done around them here. */
export interface CallsOfOthers {
	/** The input with what its references lead to. Rejects with a `Failure` where one leads nowhere. */
	filled(tool: Tool, input: object, call: ToolContext): Promise<object>;
	/** The tool with hooks around it, whose results are kept for the chat. */
	around(tool: Tool & Partial<PinnedTool>, call: ToolContext): Tool;
}

interface OthersDeps {
	readonly origins: Pick<ChatOrigins, "sessionOf" | "chatOf">;
	readonly turnHooks: TurnHooks;
}

export function createCallsOfOthers(
	{ origins, turnHooks }: OthersDeps,
	shelf: AssetShelf = createAssetShelf(),
): CallsOfOthers {
	const isOurs = ({ origin }: ToolContext) => origins.sessionOf(origin) !== undefined;
	/** Where nobody tells the chat, nothing is kept for it. */
	const keptFor = ({ origin }: ToolContext): KeptCalls => createKeptCalls(shelf.of(origins.chatOf(origin)));
	return {
		filled: async (tool, input, call) => {
			if (isOurs(call)) return input;
			const { name, inputSchema } = await pinnedFor(tool, input, call.signal);
			return Object(keptFor(call).filled({ name, inputSchema }, input));
		},
		around: (tool, call) => {
			if (isOurs(call)) return tool;
			const [hooked = tool] = hookedTools([tool], turnHooks);
			return origins.chatOf(call.origin) === undefined ? hooked : keptTool(hooked, keptFor(call));
		},
	};
}

/** Only what commands of plugins give is told its name: they take each other's results. */
function keptTool(tool: Tool & Partial<PinnedTool>, kept: KeptCalls): Tool {
	return {
		...tool,
		run: async (input, call) => {
			const before = kept.readBack(tool, input);
			if (before !== undefined) return { text: before };
			const { text } = await tool.run(input, call);
			return { text: kept.keep({ tool, input }, text, { isTold: Boolean(tool.definition) }) };
		},
	};
}
