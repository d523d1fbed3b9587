import { parse, type Store } from "oxigraph";

export const N_QUADS = { format: "application/n-quads", lenient: true };

/** Loading 200,000 lines at once takes twice as long, and adding quads one by one thirty times. */
const LINES_PER_LOAD = 5000;

export function loadLines(store: Store, lines: readonly string[]): void {
	for (let start = 0; start < lines.length; start += LINES_PER_LOAD)
		store.load(lines.slice(start, start + LINES_PER_LOAD).join("\n"), N_QUADS);
}

/** The statements without blank nodes in the default graph; each stays as long as some document makes it. */
export interface GroundStatements {
	/** Lines of N-Triples, one for every document that no longer makes the statement or now does. */
	change(lines: { readonly gone: readonly string[]; readonly come: readonly string[] }): void;
}

export function createGroundStatements(store: Store): GroundStatements {
	const documentCounts = new Map<string, number>();

	/** How many documents make the statement after the change. */
	const count = (line: string, change: 1 | -1): number => {
		const documents = (documentCounts.get(line) ?? 0) + change;
		if (documents > 0) documentCounts.set(line, documents);
		else documentCounts.delete(line);
		return documents;
	};
	return {
		change: ({ gone, come }) => {
			// What comes is counted first, so that a statement that only moves is never lost.
			const found = come.filter((line) => count(line, 1) === 1);
			const lost = gone.filter((line) => count(line, -1) === 0);
			for (const statement of parse(lost.join("\n"), N_QUADS)) store.delete(statement);
			loadLines(store, [...found, ...twinsOf(lost, documentCounts)]);
		},
	};
}

/**
 * Oxigraph keeps numbers and dates by value, so deleting "+1" deletes "1" as well: what is still said with the same
 * subject and predicate has to be stated again.
 */
function twinsOf(lost: readonly string[], statements: ReadonlyMap<string, number>): string[] {
	const places = new Set(lost.filter((line) => /"\^\^<[^"]*> \.$/.test(line)).map(placeOf));
	return places.size === 0 ? [] : [...statements.keys()].filter((line) => places.has(placeOf(line)));
}

/** A statement's subject and predicate. */
function placeOf(line: string): string {
	return line.slice(0, line.indexOf(" ", line.indexOf(" ") + 1));
}
