import { Failure, isFailure, messageOf } from "../../base/failure.ts";
import { boundedText } from "../../base/text/visibleText.ts";
import type { Tool } from "../../core/agent/tool.ts";
import type { Assets } from "./assetShelf.ts";
import { fillRefs } from "./fillRefs.ts";
import { pointedTo } from "./pointedTo.ts";

/** Characters of an input that tell a call from others. */
const ABOUT = 120;

type Called = Pick<Tool, "name" | "inputSchema">;

/** The calls of a caller whose loop is not ours. What it was given is kept for it, and handed on by reference. */
export interface KeptCalls {
	/** What a call reads of an earlier result; `undefined` where it does not. Throws a `Failure` that says what there is. */
	readBack(tool: Called, input: unknown): string | undefined;
	/** An input with what its references lead to, so that it is decided on as it will run. Throws a `Failure`. */
	filled(tool: Called, input: unknown): unknown;
	/** The text of a result, with the name that it is kept under where the model shall know it. */
	keep(call: { readonly tool: Called; readonly input: unknown }, text: string, how: Telling): string;
}

interface Telling {
	readonly isTold: boolean;
}

export function createKeptCalls(assets: Assets): KeptCalls {
	return {
		readBack: ({ name }, input) => told(() => pointedTo({ name, input }, assets)),
		filled: ({ inputSchema }, input) => told(() => fillRefs(input, inputSchema, assets)),
		keep: ({ tool, input }, text, { isTold }) => {
			const about = boundedText(JSON.stringify(input ?? {}), ABOUT);
			const number = assets.add({ name: tool.name, about, text });
			return isTold ? `${text}\n(this result is asset://${number})` : text;
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
