import { randomUUID } from "node:crypto";
import { Failure } from "../../base/failure.ts";
import { cosine, type Weighable, wordsOf } from "../../base/words/relevance.ts";
import { wordMap } from "../../base/words/wordList.ts";
import { type Embedder, vectorsOf } from "../../core/knowledge/embedder.ts";
import type { Fact, NewFact, Person, Reader, Remembered } from "../../core/session/memory.ts";
import { isForAllChannels, type Visibility } from "../visibility/visibility.ts";
import { createFactLog } from "./factLog.ts";

const LONGEST = 2000;

/** Minimum cosine of two sentences with the same meaning. */
const THE_SAME = 0.95;

type WeighedFact = Weighable & { readonly fact: Fact };

interface Standpoint {
	readonly workspace: string;
	readonly session?: string;
}

export type Facts = ReturnType<typeof createFacts>;

interface FactsOptions {
	readonly folder: string;
	readonly reader: Reader;
	readonly embedder: Embedder | undefined;
	readonly visibility: Visibility;
}

/** Minimum share of common words of two sentences about the same subject. */
const ABOUT_THE_SAME = 0.5;

const WORDS = /[\p{L}\p{N}]+/gu;
const NEGATIONS = /\b(?:not|never|no|none|nobody|nothing|without|avoid|cannot|neither|nor)\b|n['’]t\b/giu;

const OPPOSITES = wordMap(`
	on=off true=false yes=no always=never enabled=disabled enable=disable allowed=forbidden allow=deny before=after
	first=last more=less with=without old=new open=closed public=private required=optional tabs=spaces light=dark
	prefer=avoid likes=dislikes
`);

/** Verbs whose subject usually has a single object. */
const SINGLE_VALUED =
	/^(.+?)\s+(?:is|are|was|were|equals|prefers?|means|lives in|works at|is called|is named)\s+(.+)$/iu;

export function createFacts({ folder, reader, embedder, visibility }: FactsOptions) {
	const log = createFactLog(folder, reader);
	const weigh = createWeigher(embedder);
	const all = async () => weigh([...(await log.facts()).values()]);
	const find = async (id: string) => {
		const fact = (await log.facts()).get(id);
		if (!fact) throw new Failure("NOT_FOUND", "That is no longer remembered.");
		return fact;
	};
	const holding = async (at: Standpoint) => (await all()).filter(({ fact }) => holdsAt(fact, at));
	return {
		size: log.size,
		clear: log.clear,
		weighed: holding,
		remember: async (given: NewFact): Promise<Remembered> => {
			const rules = await visibility.rules();
			const fact = { ...newFact(given, reader[0]), ...(rules && { rules }) };
			// Models see only facts that every channel may recall, because the channel of a model is unknown.
			const isTold = (other: Fact) => given.source.by === "person" || isForAllChannels(other, rules);
			const others = (await all()).filter((other) => isTold(other.fact));
			const [asked] = await weigh([fact]);
			const same = others.find((other) => asked && isTheSame(asked, other));
			const about = (said: Fact): Remembered["contradicts"] => contradictionsOf(said, others);
			if (same) return { fact: same.fact, isNew: false, contradicts: about(same.fact) };
			await log.append({ kind: "fact", fact });
			return { fact, isNew: true, contradicts: about(fact) };
		},
		facts: async (at: Standpoint) =>
			(await holding(at)).map(({ fact }) => fact).sort((a, b) => b.createdAt - a.createdAt),
		edit: async (id: string, text: string) => {
			await find(id);
			await log.append({ kind: "edited", id, text: checkText(text), at: Date.now() });
			return find(id);
		},
		forget: async (id: string) => {
			await find(id);
			await log.append({ kind: "forgotten", id, at: Date.now() });
			await log.erase(id);
		},
	};
}

function newFact({ text, scope, owner, source }: NewFact, person: Person): Fact {
	if (scope !== "user" && owner === undefined)
		throw new Failure("BAD_INPUT", `Specify which ${scope} to remember it for.`);
	const at = Date.now();
	const told = { text: checkText(text), scope, source, person };
	const fact = { id: randomUUID(), ...told, createdAt: at, updatedAt: at };
	return scope === "user" || owner === undefined ? fact : { ...fact, owner };
}

function checkText(text: string): string {
	const trimmed = text.trim();
	if (trimmed === "") throw new Failure("BAD_INPUT", "Write what to remember.");
	if (trimmed.length <= LONGEST) return trimmed;
	throw new Failure("BAD_INPUT", `That is too long to remember: use at most ${LONGEST} characters.`);
}

function holdsAt({ scope, owner }: Fact, { workspace, session }: Standpoint): boolean {
	if (scope === "session") return session !== undefined && owner === session;
	return scope === "user" || owner === workspace;
}

/** A different number or "not" hardly changes a vector, so a similar vector alone is not enough. */
function isTheSame(a: WeighedFact, b: WeighedFact): boolean {
	if (a.fact.scope !== b.fact.scope || a.fact.owner !== b.fact.owner) return false;
	if (normalize(a.fact.text) === normalize(b.fact.text)) return true;
	return cosine(a.vector, b.vector) >= THE_SAME && !seemToDisagree(a.fact.text, b.fact.text);
}

/** Looks among facts about the user, and facts of the same session or workspace. */
function contradictionsOf(fact: Fact, others: readonly WeighedFact[]): Fact[] {
	return others
		.map((other) => other.fact)
		.filter((other) => other.id !== fact.id && (other.scope === "user" || other.owner === fact.owner))
		.filter((other) => seemToDisagree(fact.text, other.text));
}

function normalize(text: string): string {
	return text
		.normalize("NFKC")
		.toLowerCase()
		.replace(/[\s\p{P}]+/gu, " ")
		.trim();
}

function createWeigher(embedder: Embedder | undefined) {
	const kept = new Map<string, Weighable>();
	return async (facts: readonly Fact[]): Promise<WeighedFact[]> => {
		const fresh = [...new Set(facts.map(({ text }) => text))].filter((text) => !kept.has(text));
		const vectors = await vectorsOf(fresh, embedder);
		for (const [index, text] of fresh.entries())
			kept.set(text, { words: wordsOf(text), vector: vectors[index] ?? new Float32Array() });
		return facts.flatMap((fact) => {
			const weighed = kept.get(fact.text);
			return weighed ? [{ ...weighed, fact }] : [];
		});
	};
}

/** Heuristic: half of the words are shared, but a number, negation, opposite or value differs. */
function seemToDisagree(a: string, b: string): boolean {
	const [left, right] = [sentenceOf(a), sentenceOf(b)];
	if (haveOtherObjects(left, right)) return true;
	const shared = left.about.intersection(right.about).size;
	if (shared === 0 || shared / Math.min(left.about.size, right.about.size) < ABOUT_THE_SAME) return false;
	const haveOtherNumbers = left.numbers && right.numbers && left.numbers !== right.numbers;
	return haveOtherNumbers || left.isNegated !== right.isNegated || haveOpposites(left.words, right.words);
}

type Sentence = ReturnType<typeof sentenceOf>;

function sentenceOf(text: string) {
	const [, subject, object] = SINGLE_VALUED.exec(text.trim()) ?? [];
	const opposites = new Set([...OPPOSITES].flat());
	const rest = text.replace(NEGATIONS, " ").match(WORDS) ?? [];
	const telling = rest.filter((word) => !opposites.has(word.toLowerCase()) && !/\d/.test(word));
	return {
		words: new Set(text.toLowerCase().match(WORDS)),
		about: wordsOf(telling.join(" ")),
		numbers: (text.match(/\d+(?:[.,:]\d+)*/g) ?? []).sort().join(" "),
		isNegated: (text.match(NEGATIONS)?.length ?? 0) % 2 === 1,
		subject: keyOf(subject),
		object: keyOf(object),
	};
}

function keyOf(text = ""): string {
	return [...wordsOf(text)].join(" ");
}

function haveOpposites(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
	const differ = (one: string, other: string) =>
		left.has(one) && right.has(other) && !(left.has(other) && right.has(one));
	return [...OPPOSITES].some(([one, other]) => differ(one, other) || differ(other, one));
}

/** Whether two facts give one subject different values. A more precise value is no contradiction. */
function haveOtherObjects({ subject, object: one }: Sentence, { subject: same, object: other }: Sentence) {
	return subject !== "" && subject === same && !one.includes(other) && !other.includes(one);
}
