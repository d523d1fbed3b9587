import type { Citation } from "../core/knowledge/citation.ts";
import type { Listing, SearchResult } from "../core/knowledge/knowledge.ts";
import { type Chain, chainsOf, namedIn, type Step } from "./chains.ts";
import { type Grammar, grammarOf } from "./grammar.ts";
import { type Question, readQuestions } from "./question.ts";
import { type Saying, sayingsInText, sayingsOfThing } from "./sayings.ts";
import { sentencesOf } from "./sentences.ts";
import { type Glossary, glossaryOf, isProse, type Property, type Thing, thingIn } from "./things.ts";
import { weighSayings } from "./weigh.ts";

/** Something that a source says, word for word. */
export interface Quote {
	/** What it is said of, where the words alone do not tell: `Attendant of Gannet Rock Light`. */
	readonly lead?: string;
	/** The name of the property whose value it is. */
	readonly property?: string;
	readonly text: string;
	/** The lines of the passage. */
	readonly citation: Citation;
}

/** An answer without a language model. Nothing in the folder answers where both are empty. */
export interface QuotedAnswer {
	/** What the graph counted or listed, complete. */
	readonly listing?: Listing;
	/** Best first. */
	readonly quotes: readonly Quote[];
}

const MOST_QUOTES = 3;

/** What of the question's words, by how rare they are, a passage must have for its sentences to be an answer. */
const FLOOR = 0.28;
/** The same where nothing that was found has a name of the question. */
const FLOOR_WITHOUT_NAME = 0.5;
/** What a further quote must be worth of the first. */
const NEARLY = 0.9;
/** Two quotes that share this much of the shorter one's words say the same. */
const SAME = 0.6;

/** The answer that stands in what a search found: a value of the graph, a listing, or the sentences that answer. */
export function quoteAnswer(asked: string, { hits, listing }: SearchResult): QuotedAnswer {
	if (listing && listing.total > 0) return { listing, quotes: [] };
	const grammar = grammarOf(asked);
	const { words } = grammar;
	const read = hits.map((hit) => ({ hit, thing: thingIn(hit, words) }));
	const things = read.flatMap(({ thing }) => thing ?? []);
	const glossary = glossaryOf(things, grammar);
	const sayings = read.flatMap(({ hit, thing }) =>
		thing ? sayingsOfThing(thing, words) : sayingsInText(hit, words),
	);
	const answers = readQuestions(asked, grammar).map((question) => {
		const values = question.isWhy ? [] : valuesOf(question, things, glossary);
		return values.length > 0 ? values : sentencesFor(question, sayings, glossary);
	});
	const quotes = interleave(answers)
		.map((quote) => withProperty(quote, grammar))
		.filter(isNew);
	return { quotes: quotes.slice(0, MOST_QUOTES) };
}

function withProperty(quote: Quote, { lead }: Grammar): Quote {
	const { lead: thing, property } = quote;
	return thing === undefined || property === undefined ? quote : { ...quote, lead: lead(property, thing) };
}

/** The best of each, then the second of each. */
function interleave<Item>(lists: readonly (readonly Item[])[]): Item[] {
	const longest = Math.max(...lists.map(({ length }) => length), 0);
	return Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list[place] ?? [])).flat();
}

/** What is known of the thing that is all of the question, or the values at the end of the best way through the graph and how it leads there. */
function valuesOf(question: Question, things: readonly Thing[], glossary: Glossary): Quote[] {
	const [about] = namedIn(question, things).filter(({ words }) => question.words.isSubsetOf(words));
	if (about) return quotesAbout(about);
	const [best, ...others] = chainsOf(question, things, glossary);
	if (!best) return [];
	const like = others.filter((chain) => isLike(chain, best));
	return [best, ...like].flatMap(({ steps }) => steps.toReversed().map(quoteOfStep));
}

/** Who or what it is: its description, and what is said of it first. */
function quotesAbout(thing: Thing): Quote[] {
	const { properties, hit } = thing;
	const prose = properties.find(({ value }) => isProse(value));
	const [sentence] = prose ? sentencesOf(prose.value) : [];
	const first = properties.find(({ value }) => !isProse(value));
	const citation = citationOf(hit);
	return [
		...(first ? [quoteOfValue(thing, first)] : []),
		...(sentence ? [{ lead: thing.label, text: sentence.text, citation }] : []),
	];
}

/** Whether another chain leads along the same properties from something else that the question names. */
function isLike(chain: Chain, best: Chain): boolean {
	const path = ({ steps }: Chain) => steps.map(({ fit }) => fit.property.name).join("/");
	return path(chain) === path(best);
}

function isNew(quote: Quote, index: number, all: readonly Quote[]): boolean {
	return all.findIndex(({ lead, text }) => lead === quote.lead && text === quote.text) === index;
}

function quoteOfStep({ thing, fit }: Step): Quote {
	const { property } = fit;
	return quoteOfValue(thing, property);
}

function quoteOfValue(thing: Thing, { name, value }: Property): Quote {
	return { lead: thing.label, property: name, text: value, citation: citationOf(thing.hit) };
}

function citationOf({ path, lines }: Citation): Citation {
	return { path, lines };
}

function sentencesFor(question: Question, sayings: readonly Saying[], glossary: Glossary): Quote[] {
	const { names } = question;
	const isKnown = names.isSubsetOf(
		new Set(sayings.flatMap(({ passage }) => [...names.intersection(passage)])),
	);
	const floor = isKnown ? FLOOR : FLOOR_WITHOUT_NAME;
	const [best, ...others] = weighSayings(question, sayings, glossary).filter(
		({ passage, covered }) => Math.max(passage, covered) >= floor,
	);
	if (!best) return [];
	const chosen = [best];
	for (const each of others) {
		if (chosen.length === MOST_QUOTES || each.score < NEARLY * best.score) break;
		if (!chosen.some((other) => repeats(each.saying, other.saying))) chosen.push(each);
	}
	return chosen.map(({ saying }) => quoteOf(question.isWhy ? withNext(saying, sayings) : saying));
}

/** A reason often stands behind what it explains. */
function withNext(saying: Saying, sayings: readonly Saying[]): Saying {
	const next = sayings.find(({ hit, of, place }) => hit === saying.hit && !of && place === saying.place + 1);
	return next && !saying.of ? { ...saying, text: `${saying.text} ${next.text}` } : saying;
}

function repeats(a: Saying, b: Saying): boolean {
	const shared = a.words.intersection(b.words).size;
	return shared >= SAME * Math.min(a.words.size, b.words.size);
}

function quoteOf({ hit, of, text }: Saying): Quote {
	const citation = citationOf(hit);
	if (!of) return { text, citation };
	const { thing, property } = of;
	if (of.isValue) return quoteOfValue(thing, property);
	return text.includes(thing.label) ? { text, citation } : { lead: thing.label, text, citation };
}
