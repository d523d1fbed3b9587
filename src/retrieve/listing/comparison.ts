import { wordSet } from "../../base/words/wordList.ts";
import type { Listing } from "../../core/knowledge/knowledge.ts";
import { labelIn, nameWords } from "../../graph/facts/labels.ts";
import type { NameIndex } from "../../graph/facts/nameIndex.ts";
import { gaugeFor } from "./gauge.ts";
import type { Gauge, ListingPorts } from "./task.ts";
import { itemOf } from "./tell.ts";
import { vocabularyOf } from "./vocabulary.ts";
import { type ScaleWord, scaleOf } from "./words/scales.ts";

interface Sides {
	readonly asked: readonly string[];
	readonly sides: readonly [readonly string[], readonly string[]];
}

/** English and German: "Which is heavier, A or B?", "Is A heavier than B?", "Was A or B heavier?" */
const COMPARISONS: readonly RegExp[] = [
	/^(?:which|what|who|welche[rsmn]?|was|wer|wo)\b(?<asked>.*?)[,:–-]\s+(?<one>.+?)\s+(?:or|oder)\s+(?<two>[^,]+)$/iu,
	/^(?:is|are|was|were|does|do|did|ist|sind|war|waren)\s+(?<one>.+?)\s+(?<asked>(?:more |less )?[\p{L}]+)\s+(?:than|als)\s+(?<two>.+)$/iu,
	/^(?:is|are|was|were|ist|sind|war|waren)\s+(?<one>.+?)\s+(?:or|oder)\s+(?<two>.+?)\s+(?<asked>(?:more |am )?[\p{L}]+)$/iu,
	/^(?:which|what|who) (?:is |are |was |has |costs? )?(?<asked>(?:more |less )?\p{L}+(?<=er|(?:more|less) \p{L}+))[,:]? (?<one>[^,]+?) or (?<two>[^,]+)$/iu,
];

/** Words that replace the noun of the first side: "the one for" in "the budget for X higher than the one for Y". */
const AGAIN = /^(?:the ones?|those|that|der|die|das|denen|dem)\s+(?:for|of|in|on|at|für|von|in|im|an)\s+/iu;
const HEAD = /^(?:the |der |die |das )?(?<head>[\p{L}]+) (?:for|of|für|von)\s+(?<rest>.+)$/iu;

const MOST_MEANT = 200;

/** The two resources that a question compares, with the answer first; `undefined` if there are no two values. */
export function compareThings(query: string, ports: ListingPorts): Listing | undefined {
	const { graph, names } = ports;
	const compared = sidesIn(query.trim().replace(/[?.!\s]+$/, ""));
	const order = compared && orderIn(compared.asked);
	if (!compared || !order) return undefined;
	const [ones, twos] = meantBy(compared.sides, ports, names);
	const vocabulary = vocabularyOf(graph, names);
	const { scale } = order;
	const gauge = gaugeOf(ones, twos, (pair) =>
		gaugeFor(pair, { words: compared.asked, scale }, { graph, vocabulary }),
	);
	if (!gauge) return undefined;
	const sign = order.isLeast === (gauge.isAge ?? false) ? -1 : 1;
	const values = gauge.values.toSorted((a, b) => sign * (a.measure.value - b.measure.value));
	const items = values.flatMap(({ node, object }) => {
		const because = [{ subject: node, predicate: gauge.predicate, object }];
		return itemOf(node, labelIn(graph, node), because, ports);
	});
	const [first, second] = values;
	const isEqual = first?.measure.value === second?.measure.value;
	return {
		kind: "comparison",
		what: labelIn(graph, gauge.predicate),
		total: isEqual ? 2 : 1,
		items,
		truncated: false,
	};
}

function sidesIn(question: string): Sides | undefined {
	for (const pattern of COMPARISONS) {
		const { one = "", two = "", asked = "" } = pattern.exec(question)?.groups ?? {};
		if (one === "" || two === "") continue;
		const { head = "", rest = one } = AGAIN.test(two) ? (HEAD.exec(one)?.groups ?? {}) : {};
		const other = two.replace(AGAIN, "");
		return { asked: nameWords(`${asked} ${head}`), sides: [tellingWords(rest), tellingWords(other)] };
	}
	return undefined;
}

const ARTICLES = wordSet("the a an our my der die das dem den ein eine in im of and und");

function tellingWords(text: string): string[] {
	const words = nameWords(text);
	const telling = words.filter((word) => !ARTICLES.has(word));
	return telling.length > 0 ? telling : words;
}

const MODIFIER = /^(?:am|mo(?:st|re)|least|less|mehr|weniger|fewer)$/;

function orderIn(asked: readonly string[]): ScaleWord | undefined {
	const found = asked.flatMap((word, index) => {
		const scale = scaleOf(word);
		return scale && !MODIFIER.test(word) ? [{ ...scale, isReversed: asked[index - 1] === "less" }] : [];
	});
	const [only, ...others] = found;
	// In "has more pages", the modifier itself names the order.
	if (!only) return scaleOf(asked.find((word) => MODIFIER.test(word) && scaleOf(word)) ?? "");
	if (others.length > 0) return undefined;
	return { scale: only.scale, isLeast: only.isReversed ? !only.isLeast : only.isLeast };
}

/** The resources that each side names. In "the desk 160 or 180", the second side omits "the desk". */
function meantBy(
	[one, two]: Sides["sides"],
	{ graph }: ListingPorts,
	names: NameIndex,
): readonly [readonly number[], readonly number[]] {
	const isThing = (node: number) => graph.termAt(node).termType !== "Literal";
	const thingsWith = (words: readonly string[]) => {
		const exact = names.named(words.join("")).filter(isThing);
		return exact.length > 0 ? exact : namedWith(words, names).filter(isThing);
	};
	const exact = names.named(two.join("")).filter(isThing);
	const shared = [...one.slice(0, -two.length), ...two];
	const found = exact.length > 0 ? [exact] : [thingsWith(shared), thingsWith(two)];
	return [thingsWith(one), found.find((nodes) => nodes.length > 0) ?? []];
}

function namedWith(words: readonly string[], names: NameIndex): number[] {
	const [first, ...others] = words.map((word) => new Set(names.withWord(word, MOST_MEANT)));
	return first ? [...others.reduce((left, next) => left.intersection(next), first)] : [];
}

/** The gauge for the only pair of resources that both have a value; `undefined` if there are no or several pairs. */
function gaugeOf(
	ones: readonly number[],
	twos: readonly number[],
	gaugeBetween: (pair: readonly number[]) => Gauge | undefined,
): Gauge | undefined {
	const found = ones.flatMap((one) =>
		twos.flatMap((two) => {
			const gauge = one === two ? undefined : gaugeBetween([one, two]);
			return gauge?.values.length === 2 ? [gauge] : [];
		}),
	);
	return found.length === 1 ? found[0] : undefined;
}
