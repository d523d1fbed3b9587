import { Tokenizer } from "@huggingface/tokenizers";
import type { ModelForm } from "./modelForm.ts";

/** One input of the model: token ids, including special tokens. */
export type TokenWindow = readonly number[];

/** Cuts a text at the model's length, into as many windows as it needs; at least one. */
export type Cut = (text: string) => readonly TokenWindow[];

export function createCut({ tokenizer, tokenizerConfig, maxTokens }: ModelForm): Cut {
	const tokens = new Tokenizer(tokenizer, tokenizerConfig);
	const idsOf = (text: string, isWhole: boolean) => tokens.encode(text, { add_special_tokens: isWhole }).ids;
	const [whole, bare] = [idsOf("a", true), idsOf("a", false)];
	const at = whole.indexOf(bare[0] ?? Number.NaN);
	const [first, last] = [whole.slice(0, at), whole.slice(at + bare.length)];
	const room = maxTokens - first.length - last.length;
	return (text) => {
		const ids = idsOf(text, false);
		const windows: TokenWindow[] = [];
		for (let start = 0; start === 0 || start < ids.length; start += room)
			windows.push([...first, ...ids.slice(start, start + room), ...last]);
		return windows;
	};
}
