import { englishStem } from "../../base/language/englishStem.ts";
import { KINDS } from "../../base/rdf/vocabulary.ts";
import { type Graph, perVersion } from "../../graph/facts/graph.ts";
import { labelIn, nameWords } from "../../graph/facts/labels.ts";
import { isAkin } from "../entities/questionWords.ts";
import { GRAMMAR } from "./germanQuestion.ts";
import { limitsIn } from "./limits.ts";
import type { Form, Noun } from "./task.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { totaledIn } from "./words/totals.ts";

export function totalFormOf(question: string): Form | undefined {
	const { limits, rest } = limitsIn(question);
	const found = totaledIn(nameWords(rest));
	if (!found) return undefined;
	const words = found.words.map((word) => GRAMMAR.get(word) ?? word);
	return { words, totaled: found.totaled, limits, isByData: true };
}

/** Labels of rows that contain the sum of other rows. */
const TOTAL_ROW = /^(?:grand |sub-?)?(?:total|sum|summe|gesamt\p{L}*|insgesamt|zwischensumme)(?!\p{L})/iu;

const SHORTEST_TABLE_WORD = 4;

/** The rows of each table, restricted to tables that the question names, if any. */
export function tablesIn({ words }: Form, graph: Graph, vocabulary: Vocabulary): Noun[] {
	const tables = rowsOfTables(graph, vocabulary);
	const called = tables.filter(({ node = 0 }) =>
		nameWords(labelIn(graph, node)).some(
			(own) =>
				own.length >= SHORTEST_TABLE_WORD &&
				words.some((word) => isAkin(englishStem(own), englishStem(word))),
		),
	);
	return called.length > 0 ? called : tables;
}

const rowsOfTables = perVersion((graph: Graph, vocabulary: Vocabulary): Noun[] => {
	const rows = vocabulary.types.flatMap((predicate) =>
		[...graph.walk({ predicate })].filter(({ object }) => graph.termAt(object).value.startsWith(KINDS)),
	);
	const byTable = Map.groupBy(rows, ({ object }) => object);
	return Array.from(byTable, ([table, own]) => {
		const rows = own.map(({ subject }) => subject);
		const all = new Set(rows.filter((row) => !TOTAL_ROW.test(labelIn(graph, row))));
		return { span: [0, 0], node: table, classes: [table], table, all, has: (node) => all.has(node) };
	});
});
