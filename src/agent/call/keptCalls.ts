import { Failure, isFailure, messageOf } from "../../base/failure.ts";
import type { PinnedTool, Tool } from "../../core/agent/tool.ts";
import { type Assets, withAssetName } from "../assets/assetShelf.ts";
import { fillRefs } from "../assets/fillRefs.ts";
import { pointedTo } from "../assets/lookUp.ts";

type Called = Tool & Partial<PinnedTool>;

/** The calls of a loop that is not ours. Their results are kept, and passed on by reference. */
export type KeptCalls = ReturnType<typeof createKeptCalls>;

export function createKeptCalls(assets: Assets, isNamed: (tool: Called) => boolean) {
	return {
		/** What a call reads of an earlier result, if it does. Throws a `Failure` that lists the available results. */
		readBack: ({ name }: Called, input: unknown) => {
			const text = told(() => pointedTo({ id: "", name, input }, assets));
			if (text === undefined) return undefined;
			// As `read_resource` has it: what is read back has no structure but its text.
			const whole = { parts: [], links: [], totalCharacters: text.length, truncated: false, text };
			return { text, structured: whole };
		},
		/** An input with what its references lead to. Throws a `Failure`. */
		filled: ({ inputSchema }: Called, input: unknown) => told(() => fillRefs(input, inputSchema, assets)),
		/** The text of a result, with the name that it is kept under if the model needs to know it. */
		keep: ({ tool, input }: { readonly tool: Called; readonly input: unknown }, text: string) => {
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
