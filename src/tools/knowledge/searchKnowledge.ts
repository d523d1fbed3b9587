import * as z from "zod";
import { Failure } from "../../base/failure.ts";
import { CHARACTERS_PER_TOKEN } from "../../base/text/tokenEstimate.ts";
import type { Tool } from "../../core/agent/tool.ts";
import { uncited } from "../../core/knowledge/citation.ts";
import { formatBriefly, formatEvidence, formatListings } from "../../core/knowledge/evidence.ts";
import {
	type Hit,
	type Knowledge,
	SEARCHED_INDEXES,
	type SearchResult,
} from "../../core/knowledge/knowledge.ts";
import { describeTotal, describeWhy } from "../../core/knowledge/searchSummary.ts";
import { SECTION_FORMS } from "../../core/knowledge/sectionForm.ts";
import type { Channel } from "../../core/permission/permission.ts";
import { defineTool, lines, optional } from "../definition/defineTool.ts";

const DEFAULT_LIMIT = 8;
const COMPACT_LIMIT = 30;

/** Maximum number of hits of a query, all pages together. */
const MOST_HITS = 100;
const MOST_QUERIES = 7;

/** Number of words to which longer passages are shortened. */
const MOST_WORDS = 120;

const schema = z.object({
	query: z.string().min(1).describe("What to look for, in words that the sources would use."),
	queries: optional(
		z.array(z.string().min(1)).max(MOST_QUERIES),
		"Further questions to answer in the same call: the best of each in turns, each place once.",
	),
	limit: optional(
		z.int().min(1).max(30),
		`Passages to return; ${DEFAULT_LIMIT} if left out, ${COMPACT_LIMIT} where compact.`,
	),
	compact: optional(
		z.boolean(),
		"Only the citation, the title and one line of each, to choose what to read; false if left out.",
	),
	more: optional(
		z.string(),
		"The mark that an answer to the same query gave, for the hits that come after its own.",
	),
	types: optional(
		z.array(z.string()),
		'Only resources of these classes, for example ["Person"] or a full class IRI.',
	),
	sources: optional(z.array(z.string()), 'Only files whose path begins so, for example ["docs/"].'),
	index: optional(
		z.enum(SEARCHED_INDEXES),
		"content: what the documents say; descriptor: what a language model said that whole documents are good for; both if left out.",
	),
	threshold: optional(z.number().min(0).max(1), "Only passages with this score or more; all if left out."),
	maxTokens: optional(
		z.int().min(1),
		"Only the best passages that take about so many tokens together; no limit if left out.",
	),
});

const form = z.enum(SECTION_FORMS);

const listed = z.object({
	kind: z.enum(["count", "list", "value", "extreme", "comparison", "sum", "mean"]),
	what: z.string().describe("What was counted; of a comparison the property."),
	total: z.number(),
	added: z.object({ name: z.string(), value: z.string() }).optional().describe("Their sum or mean."),
	items: z.array(
		z.object({
			label: z.string(),
			iri: z.string().optional(),
			values: optional(z.array(z.object({ name: z.string(), value: z.string() })), "Why it is listed."),
			citation: z.object({ path: z.string(), lines }).describe("Where it is stated."),
		}),
	),
	truncated: z.boolean(),
});

const output = z.object({
	hits: z.array(
		z.object({
			id: z.string(),
			iri: optional(z.string(), "The resource that the passage is about."),
			uri: z.string(),
			path: z.string().describe("As in citations."),
			lines,
			title: z.string(),
			text: z
				.string()
				.describe(
					`Of a passage of more than ${MOST_WORDS} words, what says most about the query, with … between.`,
				),
			score: z.number().describe("0 to 1."),
			why: z.record(z.string(), z.unknown()).describe("How it was found: the rank in each search that did."),
			via: optional(z.string(), "How the graph leads there from a name in the query."),
			sections: optional(
				z.array(z.object({ title: z.string(), form, lines, text: z.string() })),
				"The parts of the text that are ranked and quoted by themselves, in order.",
			),
			others: optional(
				z.array(z.object({ uri: z.string(), path: z.string(), lines, text: z.string() })),
				"Other places that speak of the same thing, with what they add.",
			),
		}),
	),
	total: z.number().describe("Number of passages that contain all search words; 0 also if not known."),
	isAtLeast: optional(z.boolean(), "Whether there may be more than that."),
	truncated: z.boolean().describe("Whether more passages match than the hits show."),
	isWeak: optional(z.boolean(), "Whether nothing is a good match: the hits are only the nearest."),
	extent: optional(z.enum(["read", "visible"]), "What is counted, if not all documents."),
	more: optional(z.string(), "The mark for the next hits, where there are more."),
	listing: optional(listed, "The count from the graph, where the query counts or lists things."),
	otherListings: optional(
		z.array(listed),
		"The same for each of the further queries, or of the parts of the query, that do.",
	),
	answer: optional(
		z.object({
			kind: z.enum(["answer", "overview", "nothing"]),
			quotes: z.array(
				z.object({
					citation: z.object({ path: z.string(), lines }),
					lead: optional(z.string(), "What it is about, if the text does not say so."),
					form,
					parts: z.array(z.object({ text: z.string(), isBest: z.boolean().optional() })),
				}),
			),
		}),
		"The parts that answer the query, best first; if nothing answers, the nearest ones.",
	),
	notices: z.array(z.string()).describe("What one must know to judge the answer."),
});

/** Hits of a query that earlier pages have shown. */
interface Shown {
	readonly ids: ReadonlySet<string>;
	readonly tokens: number;
}

/** Maximum number of marks kept. Older marks are not needed: conversations continue from recent answers. */
const MOST_MARKS = 50;
const NOTHING: Shown = { ids: new Set(), tokens: 0 };

export function createSearchTool(knowledge: Knowledge, channel: Channel): Tool {
	const shown = createShownHits();
	return defineTool({
		name: "search_knowledge",
		title: "Search Knowledge Base",
		summary: "Search the indexed linked data and documents of this workspace.",
		description:
			"Searches the user's knowledge base (linked data in HTML, and documents, notes and code of the workspace) by meaning and by words. Returns the best passages, each after its citation [path:lines], why it was found, and how many contain all search words; for questions that count or list things, also the count from the graph. Words in quotation marks raise passages that have them exactly; a query of nothing else finds only those. Use it for questions about the content of the workspace's documents and data. Not for files outside of the workspace, and not to list a directory. Cite by copying the brackets.",
		schema,
		output,
		announce: ({ query }) => `Searching the knowledge base for “${query}”`,
		run: async ({ query, compact: isCompact = false, ...input }, { signal }) => {
			const { limit = isCompact ? COMPACT_LIMIT : DEFAULT_LIMIT, more } = input;
			const before = shown.before(more);
			const most = Math.min(MOST_HITS, limit + before.ids.size);
			const choice = choiceOf(input, before.tokens);
			const all = await knowledge.search({ query, channel, ...choice, limit: most }, signal);
			const hits = all.hits.filter(({ id }) => !before.ids.has(id)).slice(0, limit);
			const result = { ...all, hits };
			const hasNext = all.truncated && hits.length > 0 && most < MOST_HITS;
			const next = hasNext ? shown.mark(before, hits) : undefined;
			const parts = [
				...formatListings(result),
				summaryOf(result, { query, next, isNext: more !== undefined }),
				...all.notices.map((notice) => `Note: ${uncited(notice)}`),
				...(isCompact ? [hits.map(formatBriefly).join("\n")] : hits.map(describeHit)),
			];
			const structured = { ...result, ...(next !== undefined && { more: next }) };
			return { text: parts.join("\n\n"), structured };
		},
	});
}

/** Adds the tokens of earlier pages to `maxTokens`, because the search returns their hits again. */
function choiceOf({ more, ...choice }: Omit<z.output<typeof schema>, "query" | "compact">, tokens: number) {
	const { queries, index, maxTokens } = choice;
	// A single answer needs a single question, and descriptions of documents contain no answers.
	const wantsAnswer = more === undefined && !queries?.length && index !== "descriptor";
	return {
		...choice,
		...(maxTokens && { maxTokens: maxTokens + tokens }),
		...(wantsAnswer && { wantsAnswer, mostWords: MOST_WORDS }),
	};
}

function describeHit(hit: Hit): string {
	const why = describeWhy(hit);
	return why === "" ? formatEvidence(hit) : `${formatEvidence(hit)}\n(found by ${uncited(why)})`;
}

function summaryOf(
	result: SearchResult,
	{ query, next, isNext }: { query: string; next: string | undefined; isNext: boolean },
): string {
	const { hits, truncated } = result;
	if (hits.length === 0 && isNext) return "Nothing comes after what was shown.";
	if (hits.length === 0) return `No passage matches “${uncited(query)}”. Try other words, or fewer filters.`;
	const goOn =
		next === undefined ? "raise limit or narrow the query" : `pass more: "${next}", or narrow the query`;
	const more = truncated ? ` More were left out: ${goOn}.` : "";
	const places = hits.length === 1 ? "The best place" : `The ${hits.length} best places`;
	return `${[places, describeTotal(result) ?? []].flat().join("; ")}.${more}`;
}

/** Stores the hits shown so far under a mark. A later call passes the mark to get the next page. */
function createShownHits() {
	const kept = new Map<string, Shown>();
	let last = 0;
	return {
		/** Returns the hits shown before a mark; without a mark, none. Throws if the mark is unknown. */
		before: (mark: string | undefined) => {
			const shown = mark === undefined ? NOTHING : kept.get(mark);
			if (shown) return shown;
			throw new Failure("NOT_FOUND", `There is no mark “${mark}” any more: search again without it.`);
		},
		mark: (before: Shown, hits: readonly Hit[]) => {
			const mark = `m${++last}`;
			const length = hits.reduce((sum, hit) => sum + formatEvidence(hit).length, 0);
			const tokens = before.tokens + Math.ceil(length / CHARACTERS_PER_TOKEN);
			kept.set(mark, { ids: new Set([...before.ids, ...hits.map(({ id }) => id)]), tokens });
			kept.delete(`m${last - MOST_MARKS}`);
			return mark;
		},
	};
}
