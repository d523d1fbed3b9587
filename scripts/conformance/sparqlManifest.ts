import { readGraph } from "./sparqlResultFiles.ts";

export interface SparqlTest {
	readonly name: string;
	readonly kind: "positive" | "negative" | "evaluation" | "csv";
	/** URLs of files. */
	readonly query: string;
	readonly data: readonly string[];
	readonly graphData: readonly string[];
	readonly result: string;
	/** Solutions may come more or less often than the result says (`REDUCED`). */
	readonly isLax: boolean;
}

const MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#";
const QT = "http://www.w3.org/2001/sw/DataAccess/tests/test-query#";
const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

const KINDS: Readonly<Record<string, SparqlTest["kind"]>> = {
	[`${MF}PositiveSyntaxTest11`]: "positive",
	[`${MF}NegativeSyntaxTest11`]: "negative",
	[`${MF}QueryEvaluationTest`]: "evaluation",
	[`${MF}CSVResultFormatTest`]: "csv",
};

/** The tests of a manifest file, in its order. */
export async function readSparqlManifest(url: string): Promise<SparqlTest[]> {
	const quads = await readGraph(url);
	const valuesOf = (subject: string, predicate: string) =>
		quads
			.filter((quad) => quad.subject.value === subject && quad.predicate.value === predicate)
			.map(({ object }) => object.value);
	const valueOf = (subject: string, predicate: string) => valuesOf(subject, predicate)[0] ?? "";

	return listOf(valueOf(url, `${MF}entries`)).map((test): SparqlTest => {
		const action = valueOf(test, `${MF}action`);
		const kind = KINDS[valueOf(test, `${RDF}type`)];
		if (!kind) throw new Error(`${test} is of a kind that this runner does not know.`);
		return {
			name: `${url.split("/").at(-2)}/${test.replace(/^.*#/, "")}`,
			kind,
			query: valueOf(action, `${QT}query`) || action,
			data: valuesOf(action, `${QT}data`),
			graphData: valuesOf(action, `${QT}graphData`),
			result: valueOf(test, `${MF}result`),
			isLax: valuesOf(test, `${MF}resultCardinality`).length > 0,
		};
	});

	function listOf(node: string): string[] {
		const first = valuesOf(node, `${RDF}first`);
		return first.length === 0 ? [] : [...first, ...listOf(valueOf(node, `${RDF}rest`))];
	}
}
