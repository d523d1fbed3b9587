import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Term } from "../../src/core/knowledge/rdf.ts";
import { createGraph } from "../../src/graph/facts/graph.ts";
import type { Sparql } from "../../src/graph/sparql/sparql.ts";
import { parseDocument } from "../../src/knowledge/formats.ts";
import { sparqlOf } from "./sampleGraph.ts";

const data = process.env["COPILOT_LD_DATA"] ?? join(import.meta.dirname, "../../../shared/data");
const skip = existsSync(data) ? false : `There is no shared data in ${data}.`;

async function openFiles(folder: string, ending: string): Promise<Sparql> {
	const graph = createGraph();
	for (const file of readdirSync(join(data, folder)).filter((name) => name.endsWith(ending))) {
		const path = join(data, folder, file);
		const outcome = await parseDocument(pathToFileURL(path).href, readFileSync(path));
		if ("document" in outcome) graph.replace(pathToFileURL(path).href, outcome.document.quads);
	}
	const sparql = sparqlOf(graph);
	after(() => sparql.close());
	return sparql;
}

interface Question {
	readonly sparql: string;
	readonly gold: { readonly rows?: readonly Readonly<Record<string, string>>[]; readonly boolean?: boolean };
}

test("the 25 queries of CK25 give their gold rows", { skip }, async () => {
	const sparql = await openFiles("kg/ck25", ".ttl");
	const lines = readFileSync(join(data, "kg/ck25/questions.jsonl"), "utf8").trim().split("\n");
	const questions = lines.map((line) => JSON.parse(line) as Question);
	assert.equal(questions.length, 25);
	for (const { sparql: query, gold } of questions) {
		const result = await sparql.query(query, { rowLimit: 100_000 }, new AbortController().signal);
		if (result.kind === "boolean") assert.equal(result.value, gold.boolean);
		if (result.kind !== "rows") continue;
		const toRow = (cells: readonly (string | undefined)[]) => cells.map((cell) => cell ?? "-").join(" ");
		const expected = gold.rows?.map((row) => toRow(result.variables.map((name) => row[name]))) ?? [];
		assert.deepEqual(result.rows.map((row) => toRow(row.map(writeTerm))).sort(), expected.sort(), query);
	}
});

function writeTerm(term: Term | undefined): string | undefined {
	if (!term) return undefined;
	if (term.termType === "NamedNode") return `<${term.value}>`;
	if (term.termType === "BlankNode") return `_:${term.value}`;
	if (term.language) return `"${term.value}"@${term.language}`;
	return term.datatype.endsWith("#string") ? `"${term.value}"` : `"${term.value}"^^<${term.datatype}>`;
}
