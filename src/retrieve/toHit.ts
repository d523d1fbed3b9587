import { readableName } from "../base/rdf/vocabulary.ts";
import { type LineRange, overlap } from "../core/knowledge/citation.ts";
import type { Hit } from "../core/knowledge/knowledge.ts";
import { namedNode } from "../core/knowledge/rdf.ts";
import type { Graph } from "../graph/facts/graph.ts";
import { labelledBy } from "../graph/facts/labels.ts";
import type { OtherPlace, PlacePorts, ReadCandidate } from "./candidate.ts";
import { describePath } from "./entities/reachNodes.ts";

interface HitPorts extends PlacePorts {
	readonly hasSections: boolean;
}

/** Converts a passage into a hit: inserts the names of linked resources and maps lines for citations. */
export function toHit(candidate: ReadCandidate, ports: HitPorts): Hit {
	const { pathOf, placeOf, facts, hasSections } = ports;
	const { id, uri, lines, title, score, why, iri, way, others = [], content } = candidate;
	const names = facts && iri !== undefined ? namesAround(iri, facts.graph) : undefined;
	const name = (place: OtherPlace) => (names ? nameLinked(place, names) : { text: place.text, places: [] });
	const sectionsOf = () =>
		content.map((section) => ({
			title: section.title,
			form: section.form,
			lines: placeOf?.(section.uri, section.lines) ?? section.lines,
			text: name(section).text,
		}));
	const { text, places } = name(candidate);
	const added = places
		.map((place) => ({ ...place, lines: placeOf?.(place.uri, place.lines) ?? place.lines }))
		.filter(
			(place) => !others.some((other) => other.uri === place.uri && overlap(other.lines, place.lines) > 0),
		);
	const told = [...others.map((other) => ({ ...other, text: name(other).text })), ...added];
	return {
		id,
		uri,
		path: pathOf(uri),
		lines,
		title,
		text,
		score,
		why,
		...(hasSections && { sections: sectionsOf() }),
		...(iri !== undefined && { iri }),
		...(way && facts && { via: describePath(facts.graph, way) }),
		...(told.length > 0 && { others: told.map((other) => ({ ...other, path: pathOf(other.uri) })) }),
	};
}

const MOST_STATEMENTS = 500;

const MOST_NAMES_WITH_PLACES = 3;

const STATEMENT = /^([^:\n]+: )(.+)$/gm;

interface Name {
	readonly label: string;
	readonly uri: string;
	readonly lines: LineRange;
}

interface Named {
	readonly text: string;
	/** Sources of the first inserted names. */
	readonly places: readonly { readonly uri: string; readonly lines: LineRange; readonly text: string }[];
}

/** Replaces ends of IRIs with the names of linked resources, which may be stated in other files. */
function nameLinked({ uri, lines, text }: OtherPlace, names: ReadonlyMap<string, Name>): Named {
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
			.slice(0, MOST_NAMES_WITH_PLACES)
			.map((name) => ({ uri: name.uri, lines: name.lines, text: `name: ${name.label}` })),
	};
}

/** Names of linked resources, by label and by the ends of IRIs, which passages may show. */
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
