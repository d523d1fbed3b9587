import { jsonrepair } from "jsonrepair";
import { parseJson } from "../values.ts";

/** Maximum number of characters to repair. */
const LONGEST = 200_000;

/** JSON in a model's reply, without fences and prose, with common errors fixed. `undefined` if missing or cut short. */
export function readModelJson(reply: string): unknown {
	const text = unwrapped(reply);
	return parseJson(text) ?? parseJson(repaired(text) ?? "");
}

/** Removes a fence, a leading `json`, and prose around an object. */
function unwrapped(reply: string): string {
	const [, fenced] = /```(?:json)?[^\S\n]*\n(.*?)\n?```/is.exec(reply) ?? [];
	const text = (fenced ?? reply).trim().replace(/^json\s+(?=[[{])/i, "");
	const whole = text.startsWith("[") ? /^\[.*\]/s : /\{.*\}/s;
	return whole.exec(text)?.[0] ?? text;
}

function repaired(text: string): string | undefined {
	if (text.length > LONGEST || !/^[[{]/.test(text) || hasOpenText(text)) return undefined;
	try {
		const whole = jsonrepair(text.replace(/\\(.)/gs, withoutWrongEscape));
		return endsIn(whole) > endsIn(text) ? undefined : whole;
	} catch {
		return undefined;
	}
}

/** Escapes a stray backslash, as in a Windows path. */
function withoutWrongEscape(written: string, sign: string): string {
	return /["'\\/bfnrtu]/.test(sign) ? written : `\\\\${sign}`;
}

/** Whether a string is unclosed, as in a reply that was cut off. */
function hasOpenText(text: string): boolean {
	return (text.replace(/\\./gs, "").split('"').length - 1) % 2 === 1;
}

/** Number of closing brackets. If a repair adds a bracket, the reply was cut off. */
function endsIn(text: string): number {
	return text.split(/[\]}]/).length - 1;
}
