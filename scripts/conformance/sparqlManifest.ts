import { join } from "node:path";
import { RDF } from "../../src/base/rdf/vocabulary.ts";
import { MF, readManifestGraph, type SuiteFile } from "./manifest.ts";

export interface SparqlTest {
	readonly name: string;
	readonly kind: "positive" | "negative" | "evaluation" | "csv";
	readonly query: SuiteFile;
	readonly data: readonly SuiteFile[];
	readonly graphData: readonly SuiteFile[];
	readonly result: SuiteFile | undefined;
	/** Whether solutions may be repeated more or less often than in the result (`REDUCED`). */
	readonly isLax: boolean;
}

const QT = "http://www.w3.org/2001/sw/DataAccess/tests/test-query#";

const KINDS: Readonly<Record<string, SparqlTest["kind"]>> = {
	[`${MF}PositiveSyntaxTest11`]: "positive",
	[`${MF}NegativeSyntaxTest11`]: "negative",
	[`${MF}QueryEvaluationTest`]: "evaluation",
	[`${MF}CSVResultFormatTest`]: "csv",
};

/** The tests of a category in their order; `folder` contains all suites. */
export function readSparqlManifest(folder: string, category: string): SparqlTest[] {
	const home = join(folder, "sparql11", category);
	const base = `https://w3c.github.io/rdf-tests/sparql/sparql11/${category}/`;
	const graph = readManifestGraph(join(home, "manifest.ttl"), base);
	const toFile = (uri: string): SuiteFile => ({ uri, path: join(home, uri.slice(base.length)) });
	const [manifest = ""] = graph.subjects(`${RDF}type`, `${MF}Manifest`);

	return graph.items(manifest, `${MF}entries`).map((id): SparqlTest => {
		const kind = graph.values(id, `${RDF}type`).map((type) => KINDS[type])[0];
		if (!kind) throw new Error(`${id} is of a kind that this runner does not know.`);
		const action = graph.value(id, `${MF}action`) ?? "";
		const result = graph.value(id, `${MF}result`);
		return {
			name: `${category}/${id.replace(/^.*#/, "")}`,
			kind,
			query: toFile(graph.value(action, `${QT}query`) ?? action),
			data: graph.values(action, `${QT}data`).map(toFile),
			graphData: graph.values(action, `${QT}graphData`).map(toFile),
			result: result === undefined ? undefined : toFile(result),
			isLax: graph.value(id, `${MF}resultCardinality`) !== undefined,
		};
	});
}
