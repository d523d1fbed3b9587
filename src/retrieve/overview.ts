import { isProse } from "../answer/units.ts";
import { lastSegment, OWL, RDF, RDFS, splitWords } from "../base/rdf/vocabulary.ts";
import { compareTexts } from "../base/text/compareTexts.ts";
import { countWords } from "../base/words/wordList.ts";
import type { Citation, LineRange } from "../core/knowledge/citation.ts";
import type { Answer, Overview, Quote } from "../core/knowledge/knowledge.ts";
import type { Section } from "../core/knowledge/section.ts";
import type { ClassUse } from "../graph/ontology/ontologySummary.ts";
import type { DocumentReads, StoredPassage } from "../store/port/store.ts";
import { contentOf } from "./candidate.ts";

export interface OverviewPorts {
	readonly store: DocumentReads;
	readonly pathOf: (uri: string) => string;
	cite(uri: string, lines: LineRange): Citation;
	/** Classes of the graph with the number of their members. */
	classes(): readonly ClassUse[];
	answers(question: string): Promise<boolean>;
}

/** Names of documents that say what the others are. */
const MAIN = [/^(?:.*\/)?readme(?:\.\w+)?$/i, /^(?:.*\/)?(?:index|home|about|overview|liesmich)\.\w+$/i];

/** Words of the main document, documents and kinds that are named, and questions that are given. */
const MOST_WORDS = 60;
const MOST_DOCUMENTS = 3;
const MOST_KINDS = 30;
const MOST_QUESTIONS = 3;
const MOST_TRIED = 12;

/** Words of a heading that names a topic: comments in code may be whole sentences. */
const TOPIC_WORDS = 6;

/** What the folder is, what it has, and what may be asked of it. */
export async function overviewOf(ports: OverviewPorts): Promise<Answer> {
	const documents = [...ports.store.documents().records()].filter(({ passages }) => passages > 0);
	const depthOf = (uri: string) => ports.pathOf(uri).split("/").length;
	const rankOf = (uri: string) => {
		const rank = MAIN.findIndex((name) => name.test(ports.pathOf(uri)));
		return (rank < 0 ? MAIN.length : rank) + 10 * depthOf(uri);
	};
	const main = documents
		.sort((a, b) => rankOf(a.uri) - rankOf(b.uri) || b.passages - a.passages || compareTexts(a.uri, b.uri))
		.slice(0, MOST_DOCUMENTS);
	const passages = await Promise.all(main.map(({ uri }) => ports.store.passagesOf(uri)));
	const quotes = passages.flatMap((all, index) =>
		quoteFrom(all, index === 0 ? MOST_WORDS : MOST_WORDS / 4, ports),
	);
	if (quotes.length === 0) return { kind: "nothing", quotes: [] };
	const overview: Overview = {
		kinds: kindsIn(
			documents.map(({ uri }) => endingOf(uri)),
			ports.classes(),
		),
		questions: await questionsFrom(passages.flat(), ports),
	};
	return { kind: "overview", quotes, overview };
}

/** The first section that is a sentence of prose, or else that says something. */
function quoteFrom(passages: readonly StoredPassage[], words: number, { cite }: OverviewPorts): Quote[] {
	const sections = textsAmong(passages).flatMap(contentOf);
	const isSentence = ({ form, text }: Section) =>
		isProse({ form, text }) && !/[[<#]/.test(text) && countWords(text) >= SENTENCE_WORDS;
	const section = sections.find(isSentence) ?? sections.find(({ text }) => countWords(text) > 0);
	if (!section) return [];
	const { uri, title, lines } = section;
	const parts = section.text.split(/(?<=\s)/);
	const text = parts.slice(0, words).join("").trim();
	const shown = parts.length > words ? `${text} …` : text;
	return [{ citation: cite(uri, firstOf(lines)), lead: title, form: "prose", parts: [{ text: shown }] }];
}

/** The running text, or else all there is. */
function textsAmong(passages: readonly StoredPassage[]): readonly StoredPassage[] {
	const texts = passages.filter(({ resource }) => resource === undefined);
	return texts.length > 0 ? texts : passages;
}

/** Words of a sentence that says what a document is. */
const SENTENCE_WORDS = 8;

/** Lines that are cited, at most. */
const MOST_LINES = 12;

function firstOf({ start, end }: LineRange): LineRange {
	return { start, end: Math.min(end, start + MOST_LINES - 1) };
}

/** The ending of the file, with its dot; its name if it has none. */
function endingOf(uri: string): string {
	return /\.[^./]+$/.exec(uri)?.[0] ?? uri.slice(uri.lastIndexOf("/") + 1);
}

/** Kinds of things in the graph, and the endings of documents, the most frequent first. */
function kindsIn(endings: readonly string[], classes: readonly ClassUse[]): Overview["kinds"] {
	const things = classes
		.filter(({ iri }) => ![RDF, RDFS, OWL].some((vocabulary) => iri.startsWith(vocabulary)))
		.map(({ iri, label, count }) => ({ name: label ?? splitWords(lastSegment(iri)), count, iri }))
		.filter(({ name }) => name !== "" && !/Document$/.test(name));
	const documents = Array.from(
		Map.groupBy(endings, (ending) => ending),
		([name, all]) => ({ name, count: all.length }),
	);
	return [...things, ...documents]
		.sort((a, b) => b.count - a.count || compareTexts(a.name, b.name))
		.slice(0, MOST_KINDS);
}

/** Questions about headings of the main documents that really get an answer. */
async function questionsFrom(
	passages: readonly StoredPassage[],
	{ answers }: OverviewPorts,
): Promise<string[]> {
	const titles = textsAmong(passages).map(({ title }) => title.split(" › ").at(-1) ?? title);
	const topics = [...new Set(titles)].filter((title) => countWords(title) <= TOPIC_WORDS);
	const questions: string[] = [];
	for (const topic of topics.slice(1, MOST_TRIED)) {
		const question = `What is there about ${topic}?`;
		if (questions.length < MOST_QUESTIONS && (await answers(question))) questions.push(question);
	}
	return questions;
}
