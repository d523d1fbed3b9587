import { numeral } from "../../base/text/plural.ts";
import type { ParsedDocument } from "../../core/knowledge/document.ts";
import type { Quad, Term } from "../../core/knowledge/rdf.ts";

/** What one file may say, and how many characters that may have: what says more would take the memory of all others. */
interface DocumentLimits {
	readonly statements: number;
	readonly statementCharacters: number;
	readonly passages: number;
	readonly passageCharacters: number;
	readonly resources: number;
	readonly problems: number;
}

const LIMITS: DocumentLimits = {
	statements: 500_000,
	statementCharacters: 100_000_000,
	passages: 100_000,
	passageCharacters: 50_000_000,
	resources: 200_000,
	problems: 1000,
};

/** The document as far as it is within the limits; what was left out is told as a problem. */
export function withinLimits(document: ParsedDocument, limits = LIMITS): ParsedDocument {
	const parts = {
		statements: cut(document.quads, limits.statements, limits.statementCharacters, lengthOfQuad),
		passages: cut(document.passages, limits.passages, limits.passageCharacters, lengthOfPassage),
		resources: document.resources.slice(0, limits.resources),
	};
	const problems = document.problems.slice(0, limits.problems);
	const found = { statements: document.quads, passages: document.passages, resources: document.resources };
	const left = (["statements", "passages", "resources"] as const)
		.filter((kind) => parts[kind].length < found[kind].length)
		.map((kind) => PART[kind](numeral(parts[kind].length), numeral(found[kind].length)));
	const { statements: quads, passages, resources } = parts;
	if (left.length === 0) return { ...document, problems };
	const message = `This file is too large: only ${left.join(" and ")} are in the index. Split it into smaller files.`;
	const told = { severity: "error", message, lines: { start: 1, end: 1 } } as const;
	return { ...document, quads, passages, resources, problems: [told, ...problems] };
}

/** The first items, within a limit in number and one in characters. */
function cut<Item>(
	items: readonly Item[],
	most: number,
	mostCharacters: number,
	lengthOf: (item: Item) => number,
): readonly Item[] {
	let left = mostCharacters;
	const end = items.findIndex((item, index) => {
		left -= lengthOf(item);
		return left < 0 || index >= most;
	});
	return end < 0 ? items : items.slice(0, end);
}

function lengthOfPassage({ title, text }: ParsedDocument["passages"][number]): number {
	return title.length + text.length;
}

function lengthOfQuad({ subject, predicate, object }: Quad): number {
	const lengths = [subject, predicate, object].map(({ value }: Term) => value.length);
	return lengths.reduce((sum, length) => sum + length, 0);
}

/** What of it is in the index, by kind. */
const PART = {
	statements: (some: string, all: string) => `${some} of ${all} statements`,
	passages: (some: string, all: string) => `${some} of ${all} passages`,
	resources: (some: string, all: string) => `${some} of ${all} resources`,
} as const;
