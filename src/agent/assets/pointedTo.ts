import type { ToolCall } from "../../core/agent/agentEvent.ts";
import { readAssetRef } from "../../core/agent/assetRef.ts";
import { uncited } from "../../core/knowledge/citation.ts";
import type { Assets } from "./assetShelf.ts";
import { outlineOf, textAt } from "./lookUp.ts";

export const READ_TOOL = /(?:^|_)read_resource$/;
export const SCHEME = "copilot-ld-result:";
const POINTER = /^copilot-ld-result:(\d+)(?::(\d+)(?:-(\d+))?)?$/;
/** Lines that a pointer gives when it names none, or only the first. */
export const LINES = 200;
/** A line that is longer is broken: a pointer names lines. */
const LONGEST_LINE = 2000;

/** The part of earlier results that a call points to; `undefined` if it points to none. */
export function pointedTo({ name, input }: ToolCall, assets: Assets): string | undefined {
	const target = typeof input === "object" && input !== null && "target" in input ? input.target : undefined;
	if (!READ_TOOL.test(name) || typeof target !== "string") return undefined;
	const ref = target.startsWith("asset:") ? readAssetRef(target) : undefined;
	if (!ref) return target.startsWith(SCHEME) ? linesOf(target, assets) : undefined;
	const { text, content } = assets.find(ref.number);
	if (ref.path.length > 0) return textAt(assets, ref);
	// A tree is returned as an outline, anything else in full.
	return typeof content === "string" ? text : uncited(outlineOf(content));
}

function linesOf(target: string, assets: Assets): string {
	const [, number, from = "1", to] = POINTER.exec(target) ?? [];
	if (number === undefined)
		throw new Error(`There is no result ${target}. Copy the target from the note of a cut result.`);
	const lines = breakLines(assets.find(Number(number)).text).split("\n");
	const first = Math.max(1, Number(from));
	const last = Math.min(lines.length, to === undefined ? first + LINES - 1 : Number(to));
	if (first > last) throw new Error(`That result has ${lines.length} lines.`);
	return `Lines ${first}-${last} of ${lines.length}:\n${lines.slice(first - 1, last).join("\n")}`;
}

export function breakLines(text: string): string {
	const longer = new RegExp(`[^\\n]{${LONGEST_LINE}}(?=[^\\n])`, "g");
	return text.replace(longer, "$&\n");
}
