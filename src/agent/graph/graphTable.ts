import { createPrefixes, type Prefixes } from "../../base/rdf/prefixes.ts";
import { sliceOf } from "../../base/rdf/sparqlTokens.ts";
import { numeral } from "../../base/text/plural.ts";
import type { GraphAnswer } from "../../core/knowledge/graph.ts";
import type { Quad, Term } from "../../core/knowledge/rdf.ts";
import { writeTerm } from "../../core/knowledge/writeTerm.ts";

export function formatAnswer(answer: Shown, sparql: string, say: Say = (sentence) => sentence): string {
	switch (answer.kind) {
		case "boolean":
			return say(answer.value ? "**Yes.**" : "**No.**");
		case "quads":
			return formatQuads(answer.quads, answer.truncated ? say("More statements were left out.") : "");
		case "rows":
			return formatRows(answer, sparql, say);
	}
}

export type Say = (sentence: string) => string;

type Shown = GraphAnswer & { readonly isPartial?: boolean };
type Rows = Extract<Shown, { kind: "rows" }>;

function formatRows(answer: Rows, sparql: string, say: Say): string {
	const { variables, rows } = answer;
	if (rows.length === 0) return say("No rows.");
	const cells = rows.flatMap((row) => Object.values(row));
	const prefixes = createPrefixes(cells.flatMap((term) => (term.termType === "NamedNode" ? term.value : [])));
	const header = [variables, variables.map(() => "---")];
	const body = rows.map((row) => variables.map((name) => cellOf(row[name], prefixes)));
	const table = [...header, ...body].map((row) => `| ${row.join(" | ")} |`).join("\n");
	return [table, say(describeRows(answer, sparql)), ...legendOf(prefixes, sparql)].join("\n\n");
}

/** States the number of rows, and whether these are all rows: not limited by us, by the query or by a policy. */
export function describeRows({ rows, truncated, total, isPartial }: Rows, sparql: string): string {
	const shown = rows.length === 1 ? "1 row" : `${numeral(rows.length)} rows`;
	if (truncated)
		return `${shown} shown of ${total === undefined ? "more" : numeral(total)}; use LIMIT and OFFSET, or COUNT.`;
	const { limit, offset } = sliceOf(sparql);
	if (limit === rows.length) return `${shown} (the query's LIMIT).`;
	if (offset > 0) return `${shown} (after the query's OFFSET).`;
	if (isPartial) return `${shown}.`;
	return rows.length === 1 ? `${shown}, all there is.` : `${shown}, all there are.`;
}

function legendOf({ namespaces }: Prefixes, sparql: string): string[] {
	const named = [...namespaces].filter(([, namespace]) => !sparql.includes(`<${namespace}>`));
	const explained = named.map(([prefix, namespace]) => `\`${prefix}:\` = \`${namespace.replace(/`/g, "")}\``);
	return explained.length === 0 ? [] : [explained.join(", ")];
}

function formatQuads(quads: readonly Quad[], more: string): string {
	const lines = quads.map(
		({ subject, predicate, object }) => `${[subject, predicate, object].map(formatTerm).join(" ")} .`,
	);
	return `\`\`\`turtle\n${lines.join("\n")}\n\`\`\`\n\n${more}`.trimEnd();
}

function cellOf(term: Term | undefined, prefixes: Prefixes): string {
	if (!term) return "";
	return `\`${textOf(term, prefixes).replace(/[`\r\n|]/g, " ")}\``;
}

function textOf(term: Term, prefixes: Prefixes): string {
	if (term.termType === "NamedNode") return prefixes.compact(term.value);
	return term.termType === "Literal" ? term.value : formatTerm(term);
}

function formatTerm(term: Term): string {
	return term.termType === "BlankNode" ? `_:${term.value}` : writeTerm(term);
}
