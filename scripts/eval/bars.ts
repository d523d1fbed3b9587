import type { GraphResult } from "./graphQuestions.ts";
import type { Judged } from "./judge.ts";
import { meanOf } from "./measures.ts";
import { WHOLE_DOCUMENTS } from "./wholeDocuments.ts";

/** nDCG@10 of a plain BM25 over whole documents, as the README of the data gives it. */
const PLAIN_BM25: Readonly<Record<string, number>> = {
	cranfield: 0.367,
	cisi: 0.381,
	cosqa: 0.384,
	awsdocs: 0.712,
	"xquad-en": 0.967,
	"climate-fever-sent": 0.352,
	"k8s-llm": 0.299,
};

/** What the hybrid must gain over our own full text. */
const GAINS: Readonly<Record<string, number>> = { cosqa: 0.05, cranfield: 0.02, "climate-fever-sent": 0.02 };

/** What it must gain over the plain BM25 where our own full text is close to what can be reached. */
const GAINS_OVER_PLAIN: Readonly<Record<string, number>> = { "k8s-llm": 0.05 };

/** What the vectors alone reach, by the card of the model, of questions over documents in English. */
const ACROSS: Readonly<Record<string, number>> = {
	"xquad-de → xquad-en": 0.587,
	"xquad-ru → xquad-en": 0.409,
	"xquad-zh → xquad-en": 0.55,
};

const TOLERANCE = 0.01;

/** What the hybrid may lose within one language. */
const TOLERANCES: Readonly<Record<string, number>> = {
	"xquad-de": 0.005,
	"xquad-ru": 0.005,
	"xquad-zh": 0.005,
};
const TWO_HOPS = ["worldcup2014", "pathquestion-2h"];
const LEAST_FOUND = 0.95;

/** Something that must hold, with the figures that show whether it does. */
export interface Bar {
	readonly what: string;
	readonly figures: string;
	readonly holds: boolean;
}

/** What text alone and the shipped system reach on one collection. */
export interface Pair {
	readonly name: string;
	readonly text: Judged;
	readonly shipped: Judged;
	/** Of whole documents, without rules of any language. */
	readonly whole: Judged;
}

export function measureBars(pairs: readonly Pair[], graphs: readonly GraphResult[]): Bar[] {
	const [text, shipped] = [
		meanOf(pairs.map(({ text }) => ndcgOf(text))),
		meanOf(pairs.map(({ shipped }) => ndcgOf(shipped))),
	];
	return [
		...pairs.flatMap(plainBar),
		...pairs.map(({ name, shipped, whole }) =>
			atLeast(`${name}: the hybrid's gain over ${WHOLE_DOCUMENTS}`, ndcgOf(shipped) - ndcgOf(whole), 0),
		),
		atLeast("the hybrid beats full text on the mean of all collections", shipped - text, 0),
		...pairs.map((pair) => {
			const most = TOLERANCES[pair.name] ?? TOLERANCE;
			return atLeast(`${pair.name}: the hybrid loses no more than ${most}`, gainOf(pair), -most);
		}),
		...pairs.flatMap((pair) => gainBar(pair, GAINS[pair.name], gainOf(pair), "our full text")),
		...pairs.flatMap((pair) => gainBar(pair, GAINS_OVER_PLAIN[pair.name], overPlain(pair), "a plain BM25")),
		...graphs
			.filter(({ name }) => TWO_HOPS.includes(name))
			.map(({ name, covered }) =>
				atLeast(`${name}: questions with a gold answer in 200 rows`, covered.any, LEAST_FOUND),
			),
	];
}

/** Of questions over documents in another language. */
export function acrossBar({
	name,
	systems,
}: {
	readonly name: string;
	readonly systems: { readonly shipped: Judged };
}): Bar {
	return atLeast(
		`${name}: the vectors alone, by the model's card`,
		ndcgOf(systems.shipped),
		ACROSS[name] ?? 0,
	);
}

function plainBar({ name, text }: Pair): Bar[] {
	const plain = PLAIN_BM25[name];
	if (plain === undefined) return [];
	return [atLeast(`${name}: full text reaches a plain BM25`, ndcgOf(text), plain - TOLERANCE)];
}

function gainBar({ name }: Pair, least: number | undefined, gain: number, over: string): Bar[] {
	return least === undefined ? [] : [atLeast(`${name}: the hybrid's gain over ${over}`, gain, least)];
}

function gainOf({ text, shipped }: Pair): number {
	return ndcgOf(shipped) - ndcgOf(text);
}

function overPlain({ name, shipped }: Pair): number {
	return ndcgOf(shipped) - (PLAIN_BM25[name] ?? 0);
}

function ndcgOf({ mean }: Judged): number {
	return mean.ndcg;
}

function atLeast(what: string, value: number, least: number): Bar {
	return { what, figures: `${value.toFixed(4)} (bar ${least.toFixed(3)})`, holds: value >= least };
}
