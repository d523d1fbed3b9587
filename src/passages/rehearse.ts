import type { Hit } from "../core/knowledge/knowledge.ts";
import { type Grammar, grammarOf } from "./grammar.ts";
import { quoteAnswer } from "./quoteAnswer.ts";

const rehearsed = new WeakSet<Grammar>();

/**
 * While another process searches for the first question in a language, this one compiles what will read the hits: else
 * its answer would wait for that.
 */
export function rehearse(question: string): void {
	const grammar = grammarOf(question);
	if (rehearsed.has(grammar)) return;
	rehearsed.add(grammar);
	const found = { hits: HITS, total: HITS.length, truncated: false, notices: [] };
	for (const asked of [question, `How high is ${THING}?`]) quoteAnswer(asked, found);
}

const THING = "Gannet Rock Light";
const PLACE = { id: "", uri: "", path: "a.md", lines: { start: 1, end: 4 }, score: 1, why: {} };

/** A thing of the graph and running text, with what makes words and sentences hard to read. */
const HITS: readonly Hit[] = [
	{
		...PLACE,
		title: "The light › Keepers",
		text: "The lights are kept by Ida Fenwick, who came in 1861. Nobody was faster than she was.\n\n- Boats are visiting the isles\n- def keep(light): return light",
	},
	{
		...PLACE,
		title: THING,
		iri: "a#light",
		text: `${THING}\nelevation: 41 m\nattendant: Ida Fenwick\ndescription: It stands on a rock. Nobody lives there, and nobody ever did.`,
	},
];
