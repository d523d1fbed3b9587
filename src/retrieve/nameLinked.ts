import { readableName } from "../base/rdf/vocabulary.ts";
import { type LineRange, overlap, type Place } from "../core/knowledge/citation.ts";
import { namedNode } from "../core/knowledge/rdf.ts";
import type { Graph } from "../graph/facts/graph.ts";
import { labelledBy } from "../graph/facts/labels.ts";

/** Statements of one thing whose values are looked at. */
const MOST_STATEMENTS = 500;

/** Maximum number of names of linked resources that are shown with their places. */
const MOST_NAMED = 3;

/** A line of a passage with the values of a property. */
const STATEMENT = /^([^:\n]+: )(.+)$/gm;

/** The name of a resource, and the place that states it. */
interface Name {
	readonly label: string;
	readonly uri: string;
	readonly lines: LineRange;
}

interface Telling {
	readonly iri?: string;
	readonly uri: string;
	readonly lines: Place;
	readonly text: string;
}

interface Named {
	readonly text: string;
	/** Places that state the first of the inserted names. */
	readonly places: readonly { readonly uri: string; readonly lines: LineRange; readonly text: string }[];
}

/** Replaces IRI endings by names of linked things: a file that links to another's thing knows only its IRI. */
export function nameLinked({ iri, uri, lines, text }: Telling, graph: Graph): Named {
	const names = iri === undefined ? new Map<string, Name>() : namesAround(iri, graph);
	const used = new Set<Name>();
	const named = text.replace(STATEMENT, (_, property: string, values: string) => {
		const told = values.split("; ").map((value) => {
			const name = names.get(value);
			if (name) used.add(name);
			return name?.label ?? value;
		});
		return `${property}${told.join("; ")}`;
	});
	const elsewhere = [...used].filter((name) => name.uri !== uri || overlap(name.lines, lines) === 0);
	return {
		text: named,
		places: elsewhere
			.slice(0, MOST_NAMED)
			.map((name) => ({ uri: name.uri, lines: name.lines, text: `name: ${name.label}` })),
	};
}

/** By how a passage may call them: by their names, or by what their IRIs end in. */
function namesAround(iri: string, graph: Graph): Map<string, Name> {
	const names = new Map<string, Name>();
	for (const { object } of graph.match({ subject: namedNode(iri) }).take(MOST_STATEMENTS)) {
		const found = object.termType === "NamedNode" ? labelledBy(graph, object) : undefined;
		if (object.termType !== "NamedNode" || !found) continue;
		const { label, statement } = found;
		const name = { label, uri: statement.document, lines: statement.lines };
		names.set(label, name).set(readableName(object.value), name);
	}
	return names;
}
