import { isProse, linesOf } from "../answer/units.ts";
import { languageOf } from "../base/language/detect.ts";
import { KINDS, lastSegment, OWL, RDF, RDFS, splitWords } from "../base/rdf/vocabulary.ts";
import { compareTexts } from "../base/text/compareTexts.ts";
import { countWords } from "../base/words/wordList.ts";
import { type Citation, type LineRange, MOST_QUOTED_LINES } from "../core/knowledge/citation.ts";
import type { DocumentRecord } from "../core/knowledge/document.ts";
import type { Answer, Overview, Quote } from "../core/knowledge/knowledge.ts";
import { linesWithin, type Section } from "../core/knowledge/section.ts";
import { nameWords } from "../graph/facts/labels.ts";
import type { ClassUse } from "../graph/ontology/ontologySummary.ts";
import type { DocumentReads, StoredPassage } from "../store/port/store.ts";
import { type Content, contentOf } from "./candidate.ts";
import { isPlural } from "./listing/vocabulary.ts";

export interface OverviewPorts {
	readonly store: DocumentReads;
	readonly pathOf: (uri: string) => string;
	cite(uri: string, lines: LineRange): Citation;
	classes(): readonly ClassUse[];
	answers(question: string): Promise<boolean>;
}

/** Paths of documents that describe the folder, best first. */
const MAIN = [/^(?:.*\/)?readme(?:\.\w+)?$/i, /^(?:.*\/)?(?:index|home|about|overview|liesmich)\.\w+$/i];
/** Paths of documents that never describe the folder. */
const ASIDE =
	/(?:^|\/)\.|(?:^|\/)(?:licen[cs]e|copying|notice|code_of_conduct|contributing|security|change(?:s|log)|404)(?:\.\w+)?$/i;

const MOST_QUOTED_WORDS = 60;
/** Number of words that each quoted row counts as. */
const WORDS_OF_ROW = 15;
const MOST_DOCUMENTS = 3;
const MOST_READ = 12;
const MOST_KINDS = 30;
const MOST_QUESTIONS = 3;
const MOST_TRIED = 12;

const MOST_TOPIC_WORDS = 6;
const MOST_QUESTION_WORDS = 16;

/** Describes the folder: its purpose, the kinds of its contents, and questions that it answers. */
export async function overviewOf(ports: OverviewPorts): Promise<Answer> {
	const documents = [...ports.store.documents().records()].filter(({ passages }) => passages > 0);
	const main = await mainOf(documents, ports);
	const quotes = main.flatMap(({ sections }, index) =>
		quoteFrom(sections, index === 0 ? MOST_QUOTED_WORDS : MOST_QUOTED_WORDS / 4, ports),
	);
	if (quotes.length === 0) return { kind: "nothing", quotes: [] };
	const kinds = kindsIn(
		documents.map(({ uri }) => endingOf(uri)),
		ports.classes(),
	);
	const sections = main.flatMap((document) => document.sections);
	const overview: Overview = { kinds, questions: await questionsFrom(sections, kinds, ports) };
	return { kind: "overview", quotes, overview };
}

/** Whether the title of a main document at the root contains the topic, so that the topic is the whole folder. */
export function isMainTopic(
	topic: string,
	{ store, pathOf }: Pick<OverviewPorts, "store" | "pathOf">,
): boolean {
	const documents = store.documents();
	const isFirst = (path: string) => !path.includes("/") && MAIN.some((name) => name.test(path));
	return documents
		.keys()
		.filter((uri) => isFirst(pathOf(uri)))
		.some((uri) => new Set(nameWords(topic)).isSubsetOf(new Set(nameWords(documents.get(uri)?.title ?? ""))));
}

interface MainDocument {
	readonly sections: readonly Content[];
	/** Whether the document has a sentence of prose, unlike settings and lists of files. */
	readonly isTold: boolean;
}

/** The documents that describe the folder, sorted by prose, name and depth. */
async function mainOf(
	documents: readonly DocumentRecord[],
	{ store, pathOf }: OverviewPorts,
): Promise<readonly MainDocument[]> {
	const rankOf = (uri: string) => {
		const path = pathOf(uri);
		const rank = [...MAIN, /^/].findIndex((name) => name.test(path));
		return rank + 10 * path.split("/").length + (ASIDE.test(path) ? 1000 : 0);
	};
	const nearest = documents
		.toSorted(
			(a, b) => rankOf(a.uri) - rankOf(b.uri) || b.passages - a.passages || compareTexts(a.uri, b.uri),
		)
		.slice(0, MOST_READ);
	const read = await Promise.all(
		nearest.map(async ({ uri }): Promise<MainDocument> => {
			const sections = textsAmong(await store.passagesOf(uri)).flatMap(contentOf);
			return { sections, isTold: sections.some(isSentence) && !ASIDE.test(pathOf(uri)) };
		}),
	);
	return read.toSorted((a, b) => Number(b.isTold) - Number(a.isTold)).slice(0, MOST_DOCUMENTS);
}

function quoteFrom(sections: readonly Content[], words: number, { cite }: OverviewPorts): Quote[] {
	const section = sections.find(isSentence) ?? sections.find(({ text }) => countWords(text) > 0);
	if (!section) return [];
	const { uri, title, lines, form } = section;
	if (!isProse(section)) {
		const rows = linesOf(section.text).filter(({ from, to }) => /\p{L}/u.test(section.text.slice(from, to)));
		const first = rows.slice(0, words / WORDS_OF_ROW);
		if (first.length === 0) return [];
		const parts = first.map(({ from, to }) => ({ text: section.text.slice(from, to) }));
		const citation = cite(uri, linesWithin(section, first[0]?.from ?? 0, first.at(-1)?.to ?? 0));
		return [{ citation, lead: title, form, parts }];
	}
	const parts = section.text.split(/(?<=\s)/);
	const text = parts.slice(0, words).join("").trim();
	const shown = parts.length > words ? `${text} …` : text;
	return [{ citation: cite(uri, firstOf(lines)), lead: title, form: "prose", parts: [{ text: shown }] }];
}

function isSentence({ form, text }: Section): boolean {
	return isProse({ form, text }) && !/[[<#]/.test(text) && countWords(text) >= FEWEST_SENTENCE_WORDS;
}

function textsAmong(passages: readonly StoredPassage[]): readonly StoredPassage[] {
	const texts = passages.filter(({ resource }) => resource === undefined);
	return texts.length > 0 ? texts : passages;
}

const FEWEST_SENTENCE_WORDS = 8;

function firstOf({ start, end }: LineRange): LineRange {
	return { start, end: Math.min(end, start + MOST_QUOTED_LINES - 1) };
}

/** The file's extension with the dot, or the file's name if there is no extension. */
function endingOf(uri: string): string {
	return /\.[^./]+$/.exec(uri)?.[0] ?? uri.slice(uri.lastIndexOf("/") + 1);
}

function kindsIn(endings: readonly string[], classes: readonly ClassUse[]): Overview["kinds"] {
	const things = classes
		.filter(({ iri }) => ![RDF, RDFS, OWL].some((vocabulary) => iri.startsWith(vocabulary)))
		// Ignores hidden folders, which contain settings of tools.
		.filter(({ example }) => !/\/\.[^/]/.test(example))
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

/** Questions from headings of the main documents and about counts, if the knowledge base answers them. */
async function questionsFrom(
	sections: readonly Content[],
	kinds: Overview["kinds"],
	{ answers }: OverviewPorts,
): Promise<string[]> {
	const told = sections.filter(({ form }) => form !== "code");
	const paths = [...new Set(told.map(({ title }) => title))].map((title) => title.split(" › "));
	const ends = Map.groupBy(paths, (path) => path.at(-1) ?? "");
	// Ignores a heading in several documents, which belongs to a template.
	const headings = [...ends].filter(([heading, all]) => all.length === 1 && !FILE_NAME.test(heading));
	const isNested = ([, [path = []]]: (typeof headings)[number]) => path.length > 1;
	const topics = [...headings.filter(isNested), ...headings.filter((heading) => !isNested(heading))]
		.map(([heading]) => heading.replace(/[\s:–-]+$/, ""))
		.filter((topic) => PLAIN.test(topic));
	const ask = QUESTIONS[languageOf(told.map(({ text }) => text).join(" ")) ?? "en"];
	const counted = kinds.filter(
		({ iri = "", name }) =>
			iri.startsWith(KINDS) && PLAIN.test(name) && (ask !== QUESTIONS["en"] || isPlural([name])),
	);
	const asked = topics.filter((topic) => topic.endsWith("?") && countWords(topic) <= MOST_QUESTION_WORDS);
	const named = topics.filter((topic) => !topic.endsWith("?") && countWords(topic) <= MOST_TOPIC_WORDS);
	const counts = counted.slice(0, MOST_QUESTIONS).map(({ name }) => ask?.count(name));
	const candidates = [...asked, ...named.map((topic) => ask?.topic(topic))].slice(0, MOST_TRIED);
	const questions: string[] = [];
	for (const question of [...candidates, ...counts].filter((each) => each !== undefined))
		if (questions.length < MOST_QUESTIONS && (await answers(question))) questions.push(question);
	return questions;
}

/** Untrusted text without characters that the chat reads as commands, participants, variables or markup. */
const PLAIN = /^[\p{L}\p{N}§«„“"(](?:[^\p{Cc}\p{Cf}#@/\\`<>[\]{}|$*]|(?<=[\p{L}\p{N}])\/(?=[\p{L}\p{N}]))*$/u;

const FILE_NAME = /^\S+\.\w+$/;

const QUESTIONS: Readonly<Record<string, Readonly<Record<"topic" | "count", (name: string) => string>>>> = {
	en: {
		topic: (name) => `What does it say about ${name}?`,
		count: (name) => `How many ${name} are there?`,
	},
	de: {
		topic: (name) => `Was steht hier über ${name}?`,
		count: (name) => `Wie viele ${name} gibt es?`,
	},
	fr: {
		topic: (name) => `Que dit-on de ${name} ?`,
		count: (name) => `Combien de ${name} y a-t-il ?`,
	},
};
