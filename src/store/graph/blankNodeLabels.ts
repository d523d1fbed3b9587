import { blankNode, defaultGraph, namedNode, type Quad, type Store } from "oxigraph";
import type { DocumentText } from "./statementText.ts";

/** Oxigraph gives blank nodes new labels as it loads them. The graph's own are kept beside them, in a graph per document that no query sees. */
export interface LabelledDocument extends Pick<DocumentText, "blank" | "labels"> {
	/** Names the document's graph of labels. */
	readonly number: number;
}

const LABEL = "urn:copilot-ld:label";

/** The statements with blank nodes as N-Quads lines that have to be loaded at once: the next load would know none of the nodes. */
export function writeBlankNodes(document: LabelledDocument): string[] {
	const labels = [...document.labels].map(
		([token, label]) => `${token} <${LABEL}> ${JSON.stringify(label)} <${labelGraphOf(document)}> .`,
	);
	return [...document.blank, ...labels];
}

/** The document's statements with blank nodes, as they are in the default graph. */
export function findBlankNodes(store: Store, document: LabelledDocument): Quad[] {
	return findLabels(store, document).flatMap(({ subject }) => [
		...store.match(subject, null, null, defaultGraph()),
		...store.match(null, null, subject, defaultGraph()),
	]);
}

/** The statements that hold the document's labels. */
export function findLabels(store: Store, document: LabelledDocument): Quad[] {
	return store.match(null, null, null, namedNode(labelGraphOf(document)));
}

/** The graph's label for one of Oxigraph's; a node that the query itself made has only that one. */
export function labelOf(store: Store, label: string): string {
	const [found] = store.match(blankNode(label), namedNode(LABEL));
	return found?.object.value ?? label;
}

function labelGraphOf({ number }: LabelledDocument): string {
	return `urn:copilot-ld:labels:${number}`;
}
