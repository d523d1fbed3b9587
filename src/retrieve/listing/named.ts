import { englishStem } from "../../base/language/englishStem.ts";
import { FULL_NAME } from "../../base/words/givenNames.ts";
import type { Term } from "../../core/knowledge/rdf.ts";
import { labelIn, nameWords } from "../../graph/facts/labels.ts";
import type { NameIndex } from "../../graph/facts/nameIndex.ts";
import { linkEntities } from "../entities/linkEntities.ts";
import { isFunctionWord } from "../entities/questionWords.ts";
import { type Form, type Ports, perQuestion, type Span, type Task } from "./task.ts";
import { isPlural, memoized } from "./vocabulary.ts";

/** Resources that words name. */
export interface Named {
	readonly span: Span;
	/** Things with the same name, which are alternatives. */
	readonly nodes: readonly number[];
	/** Whether the words are only a part of the name. */
	readonly isPart?: true;
}

/** Maximum number of things with one name: rows of many tables may share it. */
const MOST_NAMED = 200;

type Asked = Pick<Task, "graph" | "words" | "names" | "vocabulary" | "proper">;

/** The things that the words name, longest name first: by the whole name, or by a unique part of it. */
export const namedIn = perQuestion(readNames, () => 0);

function readNames(asked: Asked): Named[] {
	const { words, names, vocabulary } = asked;
	const whole = linkEntities(words, names, MOST_NAMED).filter(({ isWhole }) => isWhole);
	const named = Array.from(Map.groupBy(whole, ({ span }) => span.join()).values(), (links) => {
		const { span } = links[0] ?? { span: [0, 0] as const };
		const nodes = links.map(({ node }) => node);
		const own = words.slice(...span);
		const classes = isPlural(own) ? vocabulary.classesNamed(own) : [];
		// "Inductors" means the class, and not a single thing named Inductor.
		const kinds = nodes.filter((node) => classes.includes(node));
		return { span, nodes: kinds.length > 0 ? kinds : nodes };
	});
	const lengthOf = ([start, end]: Span) => end - start;
	return [...named, ...partsIn(asked)].sort(
		(a, b) => lengthOf(b.span) - lengthOf(a.span) || b.span[0] - a.span[0],
	);
}

/** Maximum number of results when looking up a word that may identify a thing. */
const MOST_WITH_WORD = 20;

/** "Brant" for Karen Brant, "the U990 LCD inductor": a capitalized word of one name only, and words of it that follow. */
function partsIn({ graph, words, names, proper }: Asked): Named[] {
	return words.flatMap((word, start): Named[] => {
		const node = proper?.has(word) && !isFunctionWord(word) ? onlyWith(word, names) : undefined;
		const own = nameWords(labelIn(graph, node));
		const length = [...words.slice(start), ""].findIndex((next) => !own.includes(next));
		// "In Berlin" does not mean Berlin Schulz.
		const isTelling = /\d/.test(word) || !PLACING.test(words[start - 1] ?? "");
		const isPart = node !== undefined && length > 0 && length < own.length && isTelling;
		return isPart ? [{ span: [start, start + length], nodes: [node], isPart }] : [];
	});
}

const PLACING = /^(?:in|at|near|to|about|from|im|aus|bei|nach)$/;

/** The only thing with a word in its name. */
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

/** Stems of a thing's classes, which belong to its name: "the Marketing department". */
export function classStems(
	{ graph, vocabulary }: Pick<Task, "graph" | "vocabulary">,
	subject: number,
): string[] {
	const classes = vocabulary.types.flatMap((predicate) =>
		Array.from(graph.walk({ subject, predicate }), ({ object }) => labelIn(graph, object)),
	);
	return classes.flatMap(nameWords).map(englishStem);
}

/** Whether a question is about one person: "Who is Ida Holm?" does not ask for a list. */
export function isOfOne(
	{ isWho = false, isByData = false, words }: Form,
	{ graph, names, proper }: Ports,
): boolean {
	if (!isWho) return false;
	const isName = ({ termType, value }: Term) => termType !== "Literal" || FULL_NAME.test(value);
	return (
		// German capitalizes all nouns.
		(!isByData && proper?.has(words[0] ?? "") === true) ||
		linkEntities(words, names).some(({ span, node }) => span[0] === 0 && isName(graph.termAt(node)))
	);
}

/** Returns a test of whether the word at an index belongs to a name. */
export function isNamedIn(words: readonly string[], names: NameIndex): (index: number) => boolean {
	const spans = memoized(() => linkEntities(words, names).filter(({ isWhole }) => isWhole));
	return (index) => spans().some(({ span: [start, end] }) => start <= index && index < end);
}
