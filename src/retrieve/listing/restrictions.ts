import { memoize } from "../../base/jobs/lazily.ts";
import { englishStem } from "../../base/language/englishStem.ts";
import { isNaming } from "../../base/rdf/naming.ts";
import { localNameOf, RDFS } from "../../base/rdf/vocabulary.ts";
import { wordSet } from "../../base/words/wordList.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { nameKey } from "../../graph/facts/labels.ts";
import {
	isAkin,
	isFunctionWord,
	isOfOne,
	isOfTopic,
	isSaidBy,
	isWhollySaid,
	whollySaidAmong,
} from "../entities/questionWords.ts";
import { isDateAt } from "./adding.ts";
import { keyedBy, referencesTo } from "./keys.ts";
import {
	type ListingPorts,
	type Noun,
	perQuestion,
	type Restricted,
	restrictedTo,
	type Statement,
} from "./task.ts";
import { DAY, type Value } from "./values.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { type End, endOf, type Setting, withoutArticles } from "./words/voice.ts";

/** A statement that links a member with a node that the question names. */
interface Tie extends Statement {
	readonly member: number;
	readonly isFromMember: boolean;
}

export interface Asked {
	readonly graph: Graph;
	readonly vocabulary: Vocabulary;
	readonly noun: Noun;
	readonly words: readonly string[];
	readonly isByData?: boolean | undefined;
	readonly isOpen?: boolean;
	readonly isValue?: boolean;
	readonly span: readonly [start: number, end: number];
}

/** Maximum number of statements about one node. A node with more statements restricts nothing. */
const MOST_OF_NODE = 200_000;

const ABOUT = /^(?:about|on|regarding|concerning|mentioning)$/;

/** Prepositions with a direction: "letters from Ida" are not "letters to Ida". */
const DIRECTED = /^(?:from|to|of|by)$/;

const OPPOSITE = /\b(?:not?|non|never|without|ex|former|un\w+)\b/;

/** Last segments of IRIs, in lowercase, of properties for texts, which may only mention a word. */
const TEXTS = wordSet(
	"description comment _comment abstract definition note scopenote summary text body articlebody caption",
);

/** Weight of a match of the noun with a property's name; matches of other words weigh 1. */
const NOUN_WORD = 0.5;

/** Extra weight of a word that is in the property's name and not only a synonym. */
const LITERAL = 0.1;

/** Weight of a preposition: "in" asks for `inScheme` if no property fits better. */
const PREPOSITION = 0.25;

/** Members linked with a node by the properties that fit the question best; `undefined` if these are unclear. */
export function linkedMembers(nodes: readonly number[], asked: Asked): Restricted | undefined {
	const { noun } = asked;
	// Omits values of the named resource itself, which answer other questions.
	const all = nodes
		.flatMap((node) => tiesOf({ ...asked, node }))
		.filter(({ isFromMember }) => isFromMember || !asked.isOpen);
	const own = all.filter(({ member }) => noun.has(member));
	const right = settle(own, asked);
	if (!right) return undefined;
	const isStated = (tie: Tie) =>
		right.some(
			({ predicate, isFromMember }) => tie.predicate === predicate && tie.isFromMember === isFromMember,
		);
	const others = all.filter((tie) => !noun.has(tie.member) && isStated(tie)).map(({ member }) => member);
	if (noun.isLinked && others.length > 0) return undefined;
	const found = restrictedTo(right);
	const isRole = noun.node !== undefined && noun.classes.length === 0;
	return !isRole && areMeantToo(others, found.members, asked) ? undefined : found;
}

/** Whether resources outside of the noun have the same links and share a class with members. */
function areMeantToo(
	others: readonly number[],
	members: ReadonlySet<number>,
	{ graph, vocabulary }: Asked,
): boolean {
	const classesOf = (node: number) => vocabulary.types.flatMap((type) => objectsOf(graph, node, type));
	const theirs = new Set(others.flatMap(classesOf));
	const subClassOf = graph.numberOf({ termType: "NamedNode", value: `${RDFS}subClassOf` });
	return [...members].some((member) => {
		const own = classesOf(member);
		const wider = new Set(own.flatMap((one) => objectsOf(graph, one, subClassOf)));
		return own.some((one) => theirs.has(one) && !wider.has(one));
	});
}

function objectsOf(graph: Graph, subject: number, predicate: number): number[] {
	return predicate === 0 ? [] : Array.from(graph.walk({ subject, predicate }), ({ object }) => object);
}

/** The members with a value that equals the words of the span or, if there are none, contains them. */
export function valuedMembers(
	values: readonly Value[],
	asked: Asked & Pick<ListingPorts, "names">,
): Restricted | undefined {
	const { graph, words, span, names } = asked;
	const wanted = ` ${words.slice(...span).join(" ")} `;
	const isSaid = saidIn(asked);
	const isTold = (predicate: number) => {
		const iri = graph.termAt(predicate).value;
		return isSaid(predicate) >= 1 || !(isNaming(iri) || TEXTS.has(localNameOf(iri).toLowerCase()));
	};
	const isStated = ({ predicate, object }: Statement) => isTold(predicate) || isDateAt(graph, object);
	const having = values.filter(
		({ statement, words: value }) =>
			value.includes(wanted) && (value === wanted || !OPPOSITE.test(value)) && isStated(statement),
	);
	const whole = having.filter((value) => value.words === wanted);
	const stated = new Set(whole.map(({ statement }) => statement.predicate));
	const isValue = names
		.named(nameKey(words.slice(...span)))
		.every((node) => graph.termAt(node).termType === "Literal");
	// A cell may contain several values: "lunch, dinner".
	const among = having.filter(
		({ words: value, parts, statement }) =>
			(value === wanted || parts.includes(wanted)) && (whole.length === 0 || stated.has(statement.predicate)),
	);
	// A value always belongs to the subject, so the direction is known in every language.
	const right = settle(
		(among.length > 0 ? among : having).map(({ statement }) => ({
			...statement,
			member: statement.subject,
			isFromMember: true,
		})),
		{ ...asked, isByData: isValue && asked.isByData, isValue },
	);
	return right && restrictedTo(right);
}

function settle(ties: readonly Tie[], asked: Asked): Tie[] | undefined {
	const saying = saidIn(asked);
	const known = new Map(ties.map(({ predicate }) => [predicate, saying(predicate)]));
	const most = Math.max(0, ...known.values());
	const said = [...known].flatMap(([predicate, said]) => (said === most ? [predicate] : []));
	const chosen = whollySaidAmong(said, asked.words, asked.vocabulary.namesOf);
	const isFit = fitOf(asked);
	// A review that only mentions a resource may be about another resource.
	if (most === 0 && ABOUT.test(nearestOf(asked)) && !ties.every(isFit)) return undefined;
	const ends = new Map([...chosen].map((predicate) => [predicate, rightEnds(predicate, asked)]));
	const right = ties.filter(
		(tie) =>
			ends.get(tie.predicate)?.includes(tie.isFromMember ? "start" : "target") &&
			(most >= 1 || (!asked.isOpen && isFit(tie))),
	);
	const mustBeAlike = most === 0 || asked.isOpen === true;
	if (right.length === 0 || (mustBeAlike && !areAlike(right))) return undefined;
	const isUnclear = most === 0 && DIRECTED.test(nearestOf(asked)) && right.some(isOneOfSeveral(asked));
	return isUnclear || (most === 0 && right.some(isOneOfDates(asked))) ? undefined : right;
}

/** Whether a member has another date too: "events on 1 May" are not events with a deadline on that day. */
function isOneOfDates({ graph }: Asked): (tie: Tie) => boolean {
	const isDate = memoize((node: number) => isDateAt(graph, node));
	const textAt = (node: number) => graph.termAt(node).value;
	return ({ subject, object: own }) =>
		isDate(own) &&
		graph.walk({ subject }).some(({ object }) => isDate(object) && textAt(object) !== textAt(own));
}

/** Whether another property of members has some of the same values, as with senders and recipients. */
function isOneOfSeveral({ graph, noun }: Asked): (tie: Tie) => boolean {
	const isShared = memoize((predicate: number) => {
		const members = Array.from(graph.walk({ predicate })).filter(({ subject }) => noun.has(subject));
		const values = new Set(members.map(({ object }) => object));
		return [...values].some((object) =>
			graph.walk({ object }).some((other) => other.predicate !== predicate && noun.has(other.subject)),
		);
	});
	const isText = (node: number) => graph.termAt(node).termType === "Literal";
	return ({ predicate, object, isFromMember }) => isFromMember && isText(object) && isShared(predicate);
}

/** Whether all properties give the same members, which is required if the question names no property. */
function areAlike(ties: readonly Tie[]): boolean {
	const [first, ...rest] = Map.groupBy(ties, ({ predicate }) => predicate).values();
	const members = new Set(first?.map(({ member }) => member));
	return rest.every(
		(others) => new Set(others.map(({ member }) => member)).symmetricDifference(members).size === 0,
	);
}

function rightEnds(predicate: number, asked: Asked): End[] {
	const { graph, noun, vocabulary, words } = asked;
	const names = vocabulary.namesOf(predicate);
	const name = names.find((one) => isSaidBy(one, words)) ?? names[0] ?? [];
	const said = asked.isByData ? undefined : endOf(name, settingOf(predicate, asked));
	const possible = asked.isOpen ? "start" : possibleEnd(graph, noun, predicate);
	if (said === undefined && possible === undefined) return [];
	const ends = ["start", "target"] as const;
	return ends.filter((own) =>
		[said, possible].every((end) => end === undefined || end === "either" || end === own),
	);
}

/** The end of the property at which all members are; `undefined` if members are at both ends. */
function possibleEnd(graph: Graph, noun: Noun, predicate: number): End | undefined {
	let [from, to] = [false, false];
	for (const { subject, object } of graph.walk({ predicate })) {
		from ||= noun.has(subject);
		to ||= noun.has(object);
		if (from && to) return undefined;
	}
	return from ? "start" : "target";
}

/** Returns a test of whether the preposition before the name can mean a property that no word names. */
function fitOf(asked: Asked): (tie: Tie) => boolean {
	const { vocabulary } = asked;
	const nearest = nearestOf(asked);
	const endsIn = (predicate: number, end: RegExp) =>
		vocabulary.namesOf(predicate).some((name) => end.test(name.at(-1) ?? ""));
	return ({ predicate }) => {
		if (ABOUT.test(nearest)) return vocabulary.namesOf(predicate).some(isOfTopic);
		if (nearest === "by") return endsIn(predicate, /(?:er|or|by|ed)$/);
		return nearest !== "in" || !endsIn(predicate, /(?:er|or|by)$/);
	};
}

function nearestOf({ words, noun, span }: Asked): string {
	const nearest = withoutArticles(words.slice(noun.span[1], span[0])).at(-1) ?? "";
	// "On" does not mean "about" in tables and before days: "on the left", "on Monday".
	const isPlace = noun.table !== undefined || words.slice(...span).some((word) => DAY.test(word));
	return nearest === "on" && isPlace ? "" : nearest;
}

function settingOf(predicate: number, { words, noun, span, vocabulary, isValue = false }: Asked): Setting {
	const stems = new Set(vocabulary.namesOf(predicate).flat().map(englishStem));
	return {
		leading: words.slice(0, noun.span[0]),
		before: withoutArticles(words.slice(noun.span[1], span[0])),
		after: withoutArticles(words.slice(span[1])),
		...(isValue && { isValue }),
		isSaid: (word) => !isFunctionWord(word) && [...stems].some((stem) => isAkin(stem, englishStem(word))),
	};
}

/** Scores how well the words match a property: synonyms count less, the noun and prepositions least. */
function saidIn(asked: Asked): (predicate: number) => number {
	const { words, noun, vocabulary } = asked;
	const own = words.slice(...noun.span);
	return (predicate) => {
		const { leading, before, after, isSaid } = settingOf(predicate, asked);
		const names = vocabulary.namesOf(predicate);
		const stems = names.flat().map(englishStem);
		const all = [...new Set([...leading, ...before, ...after].filter(isSaid))];
		const literal = all.filter((word) => stems.some((stem) => isOfOne(stem, englishStem(word))));
		const said = all.length + LITERAL * literal.length;
		const isNoun = names.some((name) => isWhollySaid(name, own));
		const isNear = names.some((name) => name.includes(before.at(-1) ?? ""));
		return said + (isNoun ? NOUN_WORD : 0) + (isNear ? PREPOSITION : 0);
	};
}

const tiesOf = perQuestion(readTies, ({ node }) => node);

function readTies({ node, ...asked }: Asked & { readonly node: number }): readonly Tie[] {
	const { graph, vocabulary, words } = asked;
	const ties: Tie[] = [];
	// Ignores properties for classes, unless the question names one: "in the category gauge".
	const isSaid = (predicate: number) =>
		vocabulary.namesOf(predicate).some((name) => isWhollySaid(name, words));
	const types = vocabulary.types.filter((predicate) => !isSaid(predicate));
	for (const { subject, predicate, object } of graph.walk({ subject: node })) {
		if (types.includes(predicate)) continue;
		for (const member of new Set([object, keyedBy({ subject, predicate, object }, asked)]))
			ties.push({ member, subject, predicate, object, isFromMember: false });
	}
	for (const { subject, predicate, object } of [
		...graph.walk({ object: node }),
		...referencesTo(node, asked),
	]) {
		if (ties.length >= MOST_OF_NODE) return [];
		if (!types.includes(predicate))
			ties.push({ member: subject, subject, predicate, object, isFromMember: true });
	}
	return ties;
}
