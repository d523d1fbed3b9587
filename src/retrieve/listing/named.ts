import { englishStem } from "../../base/language/englishStem.ts";
import { FULL_NAME } from "../../base/words/givenNames.ts";
import type { Term } from "../../core/knowledge/rdf.ts";
import { labelIn, nameWords } from "../../graph/facts/labels.ts";
import type { NameIndex } from "../../graph/facts/nameIndex.ts";
import { linkEntities } from "../entities/linkEntities.ts";
import { isFunctionWord } from "../entities/questionWords.ts";
import { type Form, type Ports, perQuestion, type Span } from "./task.ts";
import { isPlural, memoized, type Naming } from "./vocabulary.ts";

export interface Named {
	readonly span: Span;
	/** Alternatives: resources with the same name. */
	readonly nodes: readonly number[];
	readonly isPart?: true;
}

/** Maximum number of resources with one name: rows of many tables may have the same name. */
const MOST_NAMED = 200;

interface Asked extends Omit<Ports, "cite" | "isOther"> {
	readonly words: readonly string[];
}

/** The resources that the words name by a whole name or by a unique part of it, longest name first. */
export const namedIn = perQuestion(readNames, () => 0);

function readNames(asked: Asked): Named[] {
	const { words, names, vocabulary } = asked;
	const whole = linkEntities(words, names, MOST_NAMED).filter(({ isWhole }) => isWhole);
	const named = Array.from(Map.groupBy(whole, ({ span }) => span.join()).values(), (links) => {
		const { span } = links[0] ?? { span: [0, 0] as const };
		const nodes = links.map(({ node }) => node);
		const own = words.slice(...span);
		const classes = isPlural(own) ? vocabulary.classesNamed(own) : [];
		// "Inductors" means the class Inductor and not a single thing of that name.
		const kinds = nodes.filter((node) => classes.includes(node));
		return { span, nodes: kinds.length > 0 ? kinds : nodes };
	});
	const lengthOf = ([start, end]: Span) => end - start;
	return [...named, ...partsIn(asked)].sort(
		(a, b) => lengthOf(b.span) - lengthOf(a.span) || b.span[0] - a.span[0],
	);
}

const MOST_WITH_WORD = 20;

/** Finds names by a capitalized word that only one name has: "Brant" for Karen Brant. */
function partsIn({ graph, words, names, proper }: Asked): Named[] {
	return words.flatMap((word, start): Named[] => {
		const node = proper?.has(word) && !isFunctionWord(word) ? onlyWith(word, names) : undefined;
		const own = nameWords(labelIn(graph, node));
		const length = [...words.slice(start), ""].findIndex((next) => !own.includes(next));
		// "In Berlin" does not mean the person Berlin Schulz.
		const isTelling = /\d/.test(word) || !PLACING.test(words[start - 1] ?? "");
		const isPart = node !== undefined && length > 0 && length < own.length && isTelling;
		return isPart ? [{ span: [start, start + length], nodes: [node], isPart }] : [];
	});
}

const PLACING = /^(?:in|at|near|to|about|from|im|aus|bei|nach)$/;

function onlyWith(word: string, names: NameIndex): number | undefined {
	const [node, ...others] = new Set(names.withWord(word, MOST_WITH_WORD));
	return node !== undefined && others.length === 0 && names.kindOf(node) === "thing" ? node : undefined;
}

/** The words of a question that begin with a capital letter, except the first word. */
export function properIn(query: string): ReadonlySet<string> {
	return new Set(
		[...query.matchAll(/(?<=\P{L}\s*)(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}'’-]+/gu)].flatMap(([word]) =>
			nameWords(word),
		),
	);
}

/** Stems of the names of a thing's classes, which may be added to its name: "the Marketing department". */
export function classStems({ graph, vocabulary }: Naming, subject: number): string[] {
	const classes = vocabulary.types.flatMap((predicate) =>
		Array.from(graph.walk({ subject, predicate }), ({ object }) => labelIn(graph, object)),
	);
	return classes.flatMap(nameWords).map(englishStem);
}

/** Whether a question is about one person and asks for no list: "Who is Ida Holm?" */
export function isOfOne(
	{ isWho = false, isByData = false, words }: Form,
	{ graph, names, proper }: Ports,
): boolean {
	if (!isWho) return false;
	const isName = ({ termType, value }: Term) => termType !== "Literal" || FULL_NAME.test(value);
	return (
		// In German questions, a capital letter does not mark a name.
		(!isByData && proper?.has(words[0] ?? "") === true) ||
		linkEntities(words, names).some(({ span, node }) => span[0] === 0 && isName(graph.termAt(node)))
	);
}

export function isNamedIn(words: readonly string[], names: NameIndex): (index: number) => boolean {
	const spans = memoized(() => linkEntities(words, names).filter(({ isWhole }) => isWhole));
	return (index) => spans().some(({ span: [start, end] }) => start <= index && index < end);
}
