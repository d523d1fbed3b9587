import { overlap } from "../core/knowledge/citation.ts";
import type { Hit } from "../core/knowledge/knowledge.ts";
import type { OtherPlace, PlacePorts, ReadCandidate } from "./candidate.ts";
import { describePath } from "./entities/reachNodes.ts";
import { nameLinked } from "./nameLinked.ts";

interface HitPorts extends PlacePorts {
	readonly hasSections: boolean;
}

/** A passage as callers get it: with the names of linked things, and with places as they are cited. */
export function toHit(candidate: ReadCandidate, ports: HitPorts): Hit {
	const { pathOf, placeOf, facts, hasSections } = ports;
	const { id, uri, lines, title, score, why, iri, way, others = [], content } = candidate;
	const name = (place: OtherPlace) =>
		facts && iri !== undefined
			? nameLinked({ ...place, iri }, facts.graph)
			: { text: place.text, places: [] };
	const sections = content.map((section) => ({
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
		...(hasSections && { sections }),
		...(iri !== undefined && { iri }),
		...(way && facts && { via: describePath(facts.graph, way) }),
		...(told.length > 0 && { others: told.map((other) => ({ ...other, path: pathOf(other.uri) })) }),
	};
}
