import { type AnswerPorts, findAnswer } from "../answer/answer.ts";
import type { Excerpt } from "../answer/excerpts.ts";
import { definedBy, isDefinedIn, isOverview } from "../answer/question/question.ts";
import type { FoundSection } from "../answer/reading.ts";
import { wordList } from "../base/words/wordList.ts";
import type { WordModel } from "../core/knowledge/embedder.ts";
import type { Answer, Hit, SearchQuery } from "../core/knowledge/knowledge.ts";
import { labelOf } from "../graph/facts/labels.ts";
import { summaryOf } from "../graph/ontology/ontologySummary.ts";
import { citing, contentOf, type ReadCandidate } from "./candidate.ts";
import type { CanTell } from "./legs.ts";
import { type LookPorts, passagesIn } from "./look.ts";
import { isMainTopic, overviewOf } from "./overview.ts";

export interface AnsweringPorts extends LookPorts {
	/** The built-in model; absent if another process runs it. */
	readonly words?: WordModel;
}

interface Found {
	/** Selects the sections that may answer; if absent, all may. */
	readonly canTell?: CanTell | undefined;
	readonly hits: readonly Hit[];
	/** The candidates of the hits, with their text as stored. */
	readonly chosen: readonly ReadCandidate[];
}

interface AskedQuery extends SearchQuery {
	readonly question: string;
}

/** Questions about a person or about one of several things; these do not mean the folder. */
const OF_OTHERS = /^\s*(?:(?:who|wer|qui)(?!\p{L})|.*\s(?:an?|eine?|une?)\s)/iu;

const MOST_EXPLAINING_PASSAGES = 20;

/** Number of hits to answer from: as many as the agent requests first, so that all callers get the same answer. */
const READ = 8;

type Cite = AnswerPorts["cite"];

/** Creates a function that answers a question from its hits; `undefined` unless the query wants an answer. */
export function createAnswering(ports: AnsweringPorts, answers: (question: string) => Promise<boolean>) {
	const { store, pathOf, words, facts } = ports;
	const cite = citing(ports);
	return async (
		{ question, about, wantsAnswer, mostWords = Number.POSITIVE_INFINITY }: AskedQuery,
		{ hits, chosen, canTell = () => true }: Found,
	): Promise<{ readonly answer: Answer; readonly hits?: readonly Hit[] } | undefined> => {
		if (!wantsAnswer) return undefined;
		const classes = () => (facts ? summaryOf(facts.graph).classes : []);
		const overview = () => overviewOf({ store, pathOf, cite, classes, answers });
		if (isOverview(question)) return { answer: await overview() };
		const sections = chosen
			.slice(0, READ)
			.map((candidate, index) => sectionsIn(candidate, hits[index], ports));
		const found = sections.flat().filter(canTell);
		const topic = definedBy(question);
		const own = await beginningsOf(topic, found, ports);
		const { answer, excerptsFrom } = await findAnswer(
			{ question, ...(about !== undefined && { about }) },
			[...found, ...own],
			{
				passages: passagesIn(store),
				countOf: (word) =>
					store.matchText(word, { limit: 1 }).then(({ total, estimate = total }) => estimate),
				words,
				cite,
				sectionsWith: async (word) => {
					const { matches } = await store.matchText(word, { limit: MOST_EXPLAINING_PASSAGES });
					const passages = await store.read(matches.map(({ row }) => row));
					return [...passages.values()]
						.flatMap(contentOf)
						.map((section) => ({ ...section, path: pathOf(section.uri), score: 0 }));
				},
			},
		);
		const said = answer.quotes.flatMap(({ parts }) => parts.map(({ text }) => text));
		const isOpen = topic !== "" && own.length === 0 && !OF_OTHERS.test(question);
		if (isOpen && !isDefinedIn(question, said) && isMainTopic(topic, ports))
			return { answer: await overview() };
		const shorten = (hit: Hit, index: number) =>
			wordList(hit.text).length > mostWords
				? shortened(hit, excerptsFrom(sections[index] ?? [], mostWords), cite)
				: hit;
		return { answer, hits: hits.map(shorten) };
	};
}

/** Reduces the text of a hit to the excerpts, and its lines to the range from the first to the last excerpt. */
function shortened(hit: Hit, excerpts: readonly Excerpt[], cite: Cite): Hit {
	const own = excerpts.filter(({ section }) => section.uri === hit.uri);
	if (own.length === 0) return hit;
	const lines = {
		start: Math.min(...own.map(({ lines }) => lines.start)),
		end: Math.max(...own.map(({ lines }) => lines.end)),
	};
	return { ...hit, lines: cite(hit.uri, lines).lines, text: own.map(({ text }) => text).join("\n…\n") };
}

const MOST_NAMED_DOCUMENTS = 4;
const MOST_FIRST_SECTIONS = 3;

const FIRST_PAGE = /^_?(?:index|readme)$/i;

/** The name of a file without extensions, or the name of its folder if the file is an index page or a readme. */
function nameIn(path: string): string {
	const [file = "", folder] = path.split("/").reverse();
	const [name = ""] = file.split(".");
	return bareName(folder !== undefined && FIRST_PAGE.test(name) ? folder : name);
}

function bareName(name: string): string {
	return name
		.normalize("NFKC")
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Maximum number of documents whose titles are read: reading more would take longer than the search. */
const MOST_TITLES = 5000;

/** What separates a name from a description in a title: `pipx — Install and run applications`. */
const AFTER_NAME = /:\s|\s[–—-]\s/;

/** First sections of documents that are named like the topic and so may define it. */
async function beginningsOf(
	topic: string,
	found: readonly FoundSection[],
	{ store, pathOf }: AnsweringPorts,
): Promise<FoundSection[]> {
	const name = bareName(topic);
	if (name === "") return [];
	const names = [name, `${name}s`];
	const documents = store.documents();
	const byFile = documents.keys().filter((uri) => names.includes(nameIn(pathOf(uri))));
	const titled = documents.size > MOST_TITLES ? [] : [...documents.records()];
	const whole = titled.filter(({ title }) => names.includes(bareName(title)));
	const begun = titled.filter(
		({ title }) => AFTER_NAME.test(title) && names.includes(bareName(title.split(AFTER_NAME, 1).join())),
	);
	// Ignores titles that begin alike, because they name a kind of document: `Bug: …`, `Meeting: …`.
	const called = [...whole, ...(begun.length === 1 ? begun : [])].map(({ uri }) => uri);
	const uris = [...new Set([...byFile, ...called])].slice(0, MOST_NAMED_DOCUMENTS);
	const score = Math.max(0, ...found.map((section) => section.score));
	const passages = await Promise.all(uris.map((uri) => store.passagesOf(uri)));
	return passages.flatMap((all) =>
		all
			.filter(({ resource }) => resource === undefined)
			.flatMap(contentOf)
			.slice(0, MOST_FIRST_SECTIONS)
			.map((section, index) => ({ ...section, path: pathOf(section.uri), score, isBeginning: index === 0 })),
	);
}

function sectionsIn(
	{ content, iri, score, others = [] }: ReadCandidate,
	hit: Hit | undefined,
	{ pathOf, facts }: AnsweringPorts,
): FoundSection[] {
	const [title = ""] = content.map((section) => section.title);
	const label = labelFor(iri, title, { hit, facts });
	const own = { score, ...(label !== undefined && { label }) };
	return [
		...content.map((section, index) => ({
			...section,
			...own,
			path: pathOf(section.uri),
			text: hit?.sections?.[index]?.text ?? section.text,
		})),
		...others.map(({ uri, lines, text }) => ({
			...own,
			uri,
			lines,
			text,
			title,
			path: pathOf(uri),
			form: "record" as const,
		})),
	];
}

/** The graph's label of a thing; for a thing without an IRI, the last name on the graph path to the hit. */
function labelFor(
	iri: string | undefined,
	title: string,
	{ hit, facts }: { readonly hit: Hit | undefined; readonly facts: AnsweringPorts["facts"] },
): string | undefined {
	const named = iri !== undefined && facts && labelOf(facts.graph, { termType: "NamedNode", value: iri });
	const last = hit?.via?.split(/ [→←] /).at(-1) ?? "";
	return named || (last !== "" && title.endsWith(last) ? last : undefined);
}
