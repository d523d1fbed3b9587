import { type Place, placeOf } from "./locatedJson.ts";

/** A document that says a part of what another one says. */
export interface Piece {
	readonly document: object;
	/** Where it stands; nothing where it is more than one node of the whole. */
	readonly place: Place | undefined;
}

/** Divides a JSON-LD document into pieces that say the same together, of so many top-level nodes at most. */
export function piecesOf(document: object, size: number): Piece[] {
	if (Array.isArray(document)) return slicesOf(document, size);
	const { "@context": _, "@graph": graph, ...others } = document as Record<string, unknown>;
	// With other keys, the graph is a named one.
	const isDivisible = Array.isArray(graph) && Object.keys(others).length === 0;
	if (!isDivisible) return [{ document, place: placeOf(document) }];
	return slicesOf(graph, size).map(({ document: slice, place }) => ({
		document: { ...contextOf(document), "@graph": slice },
		place,
	}));
}

/** The document with nothing but its context. */
export function contextOf(document: object): object {
	return "@context" in document ? { "@context": document["@context"] } : {};
}

function slicesOf(items: readonly unknown[], size: number): Piece[] {
	const count = Math.ceil(items.length / size);
	return Array.from({ length: count }, (_, index) => {
		const slice = items.slice(index * size, (index + 1) * size);
		return { document: slice, place: slice.length === 1 ? placeOf(slice[0]) : undefined };
	});
}
