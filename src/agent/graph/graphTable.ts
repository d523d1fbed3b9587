import type { GraphAnswer } from "../../core/knowledge/graph.ts";
import type { Quad, Term } from "../../core/knowledge/rdf.ts";

/** The answer of a query as Markdown, with an honest count. */
export function formatAnswer(answer: GraphAnswer): string {
	switch (answer.kind) {
		case "boolean":
			return answer.value ? "**Yes.**" : "**No.**";
		case "quads":
			return formatQuads(answer.quads, answer.truncated);
		case "rows":
			return formatRows(answer);
	}
}

function formatRows({ variables, rows, total, truncated }: Extract<GraphAnswer, { kind: "rows" }>): string {
	if (rows.length === 0) return "No rows.";
	const header = [variables, variables.map(() => "---")];
	const body = rows.map((row) => variables.map((name) => cellOf(row[name])));
	const table = [...header, ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
	return `${table}\n\n${countOf(rows.length, truncated, total)}`;
}

function countOf(shown: number, truncated: boolean, total: number | undefined): string {
	if (!truncated) return shown === 1 ? "1 row, all there is." : `${shown} rows, all there are.`;
	return `${shown} rows shown of ${total ?? "more"}; use LIMIT and OFFSET, or COUNT.`;
}

function formatQuads(quads: readonly Quad[], truncated: boolean): string {
	const lines = quads.map(
		({ subject, predicate, object }) =>
			`${formatTerm(subject)} ${formatTerm(predicate)} ${formatTerm(object)} .`,
	);
	const more = truncated ? "\n\nMore statements were left out." : "";
	return `\`\`\`turtle\n${lines.join("\n")}\n\`\`\`${more}`;
}

/** Text of the data stays text: it can neither end its cell nor be Markdown. */
function cellOf(term: Term | undefined): string {
	if (!term) return "";
	const text = term.termType === "Literal" ? term.value : formatTerm(term);
	return `\`${text.replace(/[`\r\n|]/g, " ")}\``;
}

/** A term as Turtle writes it. */
function formatTerm(term: Term): string {
	if (term.termType === "NamedNode") return `<${term.value}>`;
	if (term.termType === "BlankNode") return `_:${term.value}`;
	const quoted = JSON.stringify(term.value);
	if (term.language) return `${quoted}@${term.language}`;
	return term.datatype.endsWith("#string") ? quoted : `${quoted}^^<${term.datatype}>`;
}
