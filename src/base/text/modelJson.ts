import { jsonrepair } from "jsonrepair";
import { parseJson } from "../values.ts";

/** What is longer is no slip of a model. */
const LONGEST = 200_000;

/** JSON from a model's reply, without a fence or prose around it, with its usual slips fixed. `undefined` if it is missing or cut short. */
export function readModelJson(reply: string): unknown {
	const text = unwrapped(reply);
	return parseJson(text) ?? parseJson(repaired(text) ?? "");
}

/** The reply without a fence or a leading `json`; the object alone if prose surrounds it. */
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

/** A backslash that escapes nothing is one that was meant: paths have them. */
function withoutWrongEscape(written: string, sign: string): string {
	return /["'\\/bfnrtu]/.test(sign) ? written : `\\\\${sign}`;
}

/** A text that begins and does not end may have had more in it. */
function hasOpenText(text: string): boolean {
	return (text.replace(/\\./gs, "").split('"').length - 1) % 2 === 1;
}

/** A repair that adds an end has found none: the rest is not there. */
function endsIn(text: string): number {
	return text.split(/[\]}]/).length - 1;
}
