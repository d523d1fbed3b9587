import { createGraph } from "../../src/graph/facts/graph.ts";
import { createNameIndex } from "../../src/graph/facts/nameIndex.ts";
import { listThings } from "../../src/retrieve/listing/listThings.ts";
import { documentOf } from "../support/documents.ts";

/** Returns a function that lists from the graph of these files. */
export async function listingIn(files: Readonly<Record<string, string>>) {
	const graph = createGraph();
	for (const [path, text] of Object.entries(files)) {
		const uri = `file:///${path}`;
		graph.replace(uri, (await documentOf(uri, text)).quads);
	}
	const names = createNameIndex(graph);
	await names.refresh();
	return (question: string) =>
		listThings(question, { graph, names, cite: (path, lines) => ({ path, lines }) });
}
