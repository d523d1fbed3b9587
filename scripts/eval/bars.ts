import type { GraphResult } from "./graphQuestions.ts";
import type { Judged } from "./judge.ts";
import { meanOf } from "./measures.ts";
import { WHOLE_DOCUMENTS } from "./wholeDocuments.ts";

/** nDCG@10 of a plain BM25 over whole documents, from the README of the data. */
const PLAIN_BM25: Readonly<Record<string, number>> = {
	cranfield: 0.367,
	cisi: 0.381,
	cosqa: 0.384,
	awsdocs: 0.712,
	"xquad-en": 0.967,
	"climate-fever-sent": 0.352,
	"k8s-llm": 0.299,
};

/** Minimum gain of the hybrid over our own full text. */
const GAINS: Readonly<Record<string, number>> = { cosqa: 0.05, cranfield: 0.02, "climate-fever-sent": 0.02 };

/** Minimum gain over the plain BM25, for collections on which our own full text is already close to the maximum. */
const GAINS_OVER_PLAIN: Readonly<Record<string, number>> = { "k8s-llm": 0.05 };

/** Minimum of vectors alone for questions over English documents, from the model card. */
const ACROSS: Readonly<Record<string, number>> = {
	"xquad-de → xquad-en": 0.587,
	"xquad-ru → xquad-en": 0.409,
	"xquad-zh → xquad-en": 0.55,
};

const TOLERANCE = 0.01;

/** Maximum loss of the hybrid within one language. */
const TOLERANCES: Readonly<Record<string, number>> = {
	"xquad-de": 0.005,
	"xquad-ru": 0.005,
	"xquad-zh": 0.005,
};
const TWO_HOPS = ["worldcup2014", "pathquestion-2h"];
const LEAST_FOUND = 0.95;

/** A requirement with the figures that prove it. */
export interface Bar {
	readonly what: string;
	/** The collection of the bar, if others have the same bar. */
	readonly of?: string;
	readonly figures: string;
	/** The figure minus the bar. */
	readonly margin?: number;
	readonly holds: boolean;
}

/** Scores of full text alone and of the shipped system on one collection. */
export interface Pair {
	readonly name: string;
	readonly text: Judged;
	readonly shipped: Judged;
	/** Score of a BM25 over whole documents, without rules of any language. */
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
			atLeast(`gain over ${WHOLE_DOCUMENTS}`, ndcgOf(shipped) - ndcgOf(whole), 0, name),
		),
		atLeast("gain over full text, mean of all collections", shipped - text, 0),
		...pairs.map((pair) => {
			const most = TOLERANCES[pair.name] ?? TOLERANCE;
			return atLeast(`loses at most ${most} against full text`, gainOf(pair), -most, pair.name);
		}),
		...pairs.flatMap((pair) => gainBar(pair, GAINS[pair.name], gainOf(pair), "full text")),
		...pairs.flatMap((pair) => gainBar(pair, GAINS_OVER_PLAIN[pair.name], overPlain(pair), "a plain BM25")),
		...graphs
			.filter(({ name }) => TWO_HOPS.includes(name))
			.map(({ name, covered }) =>
				atLeast("questions with a gold answer in 200 rows", covered.any, LEAST_FOUND, name),
			),
	];
}

/** The bar for questions over documents in another language. */
export function acrossBar({
	name,
	systems,
}: {
	readonly name: string;
	readonly systems: { readonly shipped: Judged };
}): Bar {
	return atLeast(
		"shipped reaches the model card's figure for vectors alone",
		ndcgOf(systems.shipped),
		ACROSS[name] ?? 0,
		name,
	);
}

function plainBar({ name, text }: Pair): Bar[] {
	const plain = PLAIN_BM25[name];
	if (plain === undefined) return [];
	return [atLeast("full text reaches a plain BM25", ndcgOf(text), plain - TOLERANCE, name)];
}

function gainBar({ name }: Pair, least: number | undefined, gain: number, over: string): Bar[] {
	return least === undefined ? [] : [atLeast(`gain over ${over}`, gain, least, name)];
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

function atLeast(what: string, value: number, least: number, of?: string): Bar {
	const figures = `${value.toFixed(4)} (bar ${least.toFixed(3)})`;
	return { what, ...(of && { of }), figures, margin: value - least, holds: value >= least };
}
