import { compareTexts } from "../../base/text/compareTexts.ts";
import { WIKILINK } from "../../base/text/noteSyntax.ts";
import type { Place } from "../../core/knowledge/graph.ts";
import { namedNode } from "../../core/knowledge/rdf.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { labelOf, nameWords, otherNamesOf } from "../../graph/facts/labels.ts";
import { viewThing } from "../../graph/things/thingView.ts";
import { contentOf } from "../../retrieve/candidate.ts";
import type { PassageReads } from "../../store/port/store.ts";

/** Passages that are read for each name, at most. */
const MOST_PASSAGES = 200;

/** Letters; shorter names are words of every text. */
const SHORTEST = 3;

/** Sections of other documents that have the label or another name of a note in their text without a link. */
export async function mentionsOf(note: string, graph: Graph, store: PassageReads): Promise<Place[]> {
	const subject = namedNode(viewThing(graph, note)?.id ?? note);
	const names = [labelOf(graph, subject) ?? "", ...otherNamesOf(graph, subject)].filter(
		(name) => name.length >= SHORTEST,
	);
	const rows = new Set<number>();
	for (const name of names) {
		const { matches } = await store.matchText(name, { limit: MOST_PASSAGES, phrases: [name] });
		for (const { row } of matches) rows.add(row);
	}
	const wanted = names.map(spaced);
	const isMention = (text: string) => {
		const words = spaced(text.replace(WIKILINK, " | ").replace(/\[[^[\]]*\]\([^()]*\)/g, " | "));
		return wanted.some((name) => words.includes(name));
	};
	return [...(await store.read([...rows])).values()]
		.filter(({ uri, resource }) => uri !== note && resource === undefined)
		.flatMap(contentOf)
		.flatMap(({ uri, lines, text }) => (isMention(text) ? { uri, lines } : []))
		.sort((a, b) => compareTexts(a.uri, b.uri) || a.lines.start - b.lines.start);
}

function spaced(text: string): string {
	return ` ${nameWords(text).join(" ")} `;
}
