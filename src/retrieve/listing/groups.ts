import { wordList } from "../../base/words/wordList.ts";
import type { Noun, Take } from "./task.ts";

/** Alternatives: what is linked with one of them, or with none. */
export interface Group {
	readonly isNegated: boolean;
	readonly found: ReadonlySet<number>;
	readonly names: readonly string[];
}

/** After one of these comes what the members must not have. */
const NEGATIONS = new Set(wordList("not no without except excluding"));

/** Whether a word joins what restricts, or turns it round. */
export function isJoint(word: string): boolean {
	return word === "or" || NEGATIONS.has(word);
}

/** The restrictions in groups; `undefined` if words that join or negate are not understood. */
export function groupsOf(takes: readonly Take[], words: readonly string[], noun: Noun): Group[] | undefined {
	const sorted = takes.toSorted((a, b) => a.span[0] - b.span[0]);
	const outside = words.filter((_, index) => !sorted.some(({ span }) => span[0] <= index && index < span[1]));
	const joints = outside.filter(isJoint);
	const [only, ...more] = sorted;
	// "Which books did she not write?"
	if (only && more.length === 0 && joints.length === 1 && joints[0] !== "or") return [alone(only, true)];
	const start = noun.span[1] <= (only?.span[0] ?? 0) ? noun.span[1] : 0;
	return joinAll(sorted, words, { start, joints: joints.length });
}

function joinAll(
	sorted: readonly Take[],
	words: readonly string[],
	{ start, joints }: { readonly start: number; readonly joints: number },
): Group[] | undefined {
	const groups: Group[] = [];
	let understood = 0;
	for (const [index, take] of sorted.entries()) {
		const end = sorted[index - 1]?.span[1] ?? start;
		const joint = jointIn(words.slice(end, take.span[0]), groups.at(-1));
		// "By A and B": unclear whether both are required.
		if (joint.isBoth && !words.includes("both")) return undefined;
		understood += joint.words;
		if (joint.before) groups.splice(-1, 1, joined(joint.before, take));
		else groups.push(alone(take, joint.isNegated));
	}
	return understood === joints ? groups : undefined;
}

function alone({ found, told }: Take, isNegated: boolean): Group {
	return { isNegated, found: found.members, names: [told] };
}

function joined({ isNegated, found, names }: Group, take: Take): Group {
	return { isNegated, found: found.union(take.found.members), names: [...names, take.told] };
}

/** How the words before what restricts join it to the group before it. */
function jointIn(all: readonly string[], last: Group | undefined) {
	const between = all.filter((word) => word !== "the" && word !== "either");
	const isNegated = between.some((word) => NEGATIONS.has(word));
	const isOr = last !== undefined && between[0] === "or";
	const isAnd = last !== undefined && between.join(" ") === "and";
	const isJoined = isOr || (isAnd && last.isNegated);
	return {
		isNegated,
		isBoth: isAnd && !last.isNegated,
		words: Number(isNegated) + Number(isOr),
		before: isJoined ? last : undefined,
	};
}
