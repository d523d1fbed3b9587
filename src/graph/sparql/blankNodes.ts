import { blankNode, namedNode, type Store } from "oxigraph";
import type { DocumentText } from "./statementText.ts";

/**
 * Oxigraph gives blank nodes new labels as it loads them. The graph's own labels are kept beside them, in a graph per
 * document that no query sees; through it a document's blank nodes are found again.
 */
export interface LabelledDocument extends Pick<DocumentText, "blank" | "labels"> {
	/** Names the document's graph of labels. */
	readonly number: number;
}

const LABEL = "urn:copilot-ld:label";

/** The statements with blank nodes as N-Quads lines that have to be loaded at once: the next load would know none of the nodes. */
export function writeBlankNodes(document: LabelledDocument): string {
	const labels = [...document.labels].map(
		([token, label]) => `${token} <${LABEL}> ${JSON.stringify(label)} <${labelGraphOf(document)}> .`,
	);
	return [document.blank, ...labels].join("\n");
}

/** Adds the document's statements with blank nodes to a named graph. */
export function copyBlankNodes(store: Store, document: LabelledDocument, graphName: string): void {
	const find = findNode(document);
	store.update(
		`INSERT { GRAPH <${graphName}> { ?node ?p ?o } } WHERE { ${find} ?node ?p ?o };
		INSERT { GRAPH <${graphName}> { ?s ?p ?node } } WHERE { ${find} ?s ?p ?node }`,
	);
}

/** Deletes the document's statements with blank nodes from the default graph, and their labels. */
export function dropBlankNodes(store: Store, document: LabelledDocument): void {
	if (document.blank === "") return;
	const find = findNode(document);
	store.update(
		`DELETE { ?node ?p ?o } WHERE { ${find} ?node ?p ?o };
		DELETE { ?s ?p ?node } WHERE { ${find} ?s ?p ?node };
		DROP GRAPH <${labelGraphOf(document)}>`,
	);
}

/** The graph's label for one of Oxigraph's; a node that the query itself made has only that one. */
export function labelOf(store: Store, label: string): string {
	const [found] = store.match(blankNode(label), namedNode(LABEL));
	return found?.object.value ?? label;
}

function findNode(document: LabelledDocument): string {
	return `GRAPH <${labelGraphOf(document)}> { ?node <${LABEL}> ?label }`;
}

function labelGraphOf({ number }: LabelledDocument): string {
	return `urn:copilot-ld:labels:${number}`;
}
