import type { DocumentProblems } from "../../core/knowledge/catalog.ts";
import type { Problem } from "../../core/knowledge/document.ts";
import { findDanglingLinks } from "../../graph/facts/dangling.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { proposeMerges } from "../../graph/facts/merges.ts";
import { recordOf } from "../../store/port/documents.ts";
import type { DocumentReads } from "../../store/port/store.ts";

/** What a person should mend: what the parsers found in each file, and with a graph what only all files together show. */
export function listProblems(store: DocumentReads, graph?: Graph): DocumentProblems[] {
	const byDocument = new Map<string, Problem[]>();
	const add = (uri: string, problem: Problem) => {
		const problems = byDocument.get(uri);
		if (problems) problems.push(problem);
		else byDocument.set(uri, [problem]);
	};
	for (const entry of store.documents().entries())
		for (const problem of entry.isSound ? [] : recordOf(entry).problems) add(entry.uri, problem);
	for (const { document, ...problem } of graph ? betweenDocuments(graph) : [])
		add(document, { severity: "warning", ...problem });
	return [...byDocument].map(([uri, problems]) => ({ uri, problems }));
}

function betweenDocuments(graph: Graph) {
	const dangling = findDanglingLinks(graph).map(({ iri, document, lines }) => ({
		document,
		lines,
		message: `No document describes <${iri}>.`,
	}));
	return [...dangling, ...sharedIdentifiers(graph)];
}

/** Two descriptions with one identifier are one thing, or one of them is wrong; a stated "same as" is neither. */
function sharedIdentifiers(graph: Graph) {
	return proposeMerges(graph).flatMap(({ ids, samenesses }) =>
		samenesses
			.filter(({ reason }) => reason === "equal identifier")
			.flatMap(({ statements }) => statements)
			.map(({ document, lines, object }) => ({
				document,
				lines,
				message: `${ids.join(" and ")} have the same identifier ${JSON.stringify(object.value)}.`,
			})),
	);
}
