import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Term } from "../../../src/core/knowledge/rdf.ts";
import { linesOf } from "../collection.ts";
import type { AskedQuestion } from "./askedQuestion.ts";

interface OwnQuestion {
	readonly question: { readonly en: string };
	readonly sparql: string;
	readonly gold: { readonly rows?: readonly Readonly<Record<string, string>>[] };
}

/** Matches queries that compute: BIND, and sums and products of variables. */
const ARITHMETIC = /\bBIND\b|\?\w+\s*[-+*/]\s*\?\w+|[*/]\s*\d/;

/** The questions and answers of ck25, without those that compute. */
export function ck25Questions(data: string): AskedQuestion[] {
	const file = join(data, "kg", "ck25", "questions.jsonl");
	if (!existsSync(file)) return [];
	const questions = linesOf(readFileSync(file, "utf8")).map((line) => JSON.parse(line) as OwnQuestion);
	return questions.flatMap(({ question, sparql, gold }) => {
		if (ARITHMETIC.test(sparql.replace(/<[^>\s]*>/g, ""))) return [];
		// A query for "Are there …?" has no rows, so it has no true answers.
		const truth = (gold.rows ?? []).flatMap((row) => Object.values(row).slice(0, 1)).map(termOf);
		return [{ text: question.en, kind: "own", truth }];
	});
}

/** Reads a term of N-Triples. */
function termOf(written: string): Term {
	const [, iri] = /^<(.*)>$/.exec(written) ?? [];
	if (iri !== undefined) return { termType: "NamedNode", value: iri };
	const [, value = written] = /^"(.*)"/s.exec(written) ?? [];
	return { termType: "Literal", value, datatype: "" };
}
