import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import type { Door } from "../../core/permission/permission.ts";
import { type FindNames, namesAmong } from "./refine.ts";

const MOST_HITS = 20;

const PROSE = /\.(?:md|mdx|txt|html?|rst|adoc|ipynb|json(?:ld)?|ttl|nt|nq|trig|rdf|xml|ya?ml)$/i;

/** Finds names by a search of the index, as far as a door may see it. */
export function findNamesBy(knowledge: Pick<Knowledge, "search">, door: Door): FindNames {
	return async (words, signal) => {
		const query = { query: words.join(" "), limit: MOST_HITS, index: "content", door } as const;
		const { hits } = await knowledge.search(query, signal);
		return namesAmong(
			hits.map(({ path, title }) => ({ path, title, isCode: !PROSE.test(path) })),
			words,
		);
	};
}
