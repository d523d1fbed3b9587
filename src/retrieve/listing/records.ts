import { memoize } from "../../base/jobs/lazily.ts";
import { englishStem } from "../../base/language/englishStem.ts";
import { measureOf } from "../../base/quantities/measure.ts";
import { KEYS, SCHEMA, XSD } from "../../base/rdf/vocabulary.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { labelIn, nameWords } from "../../graph/facts/labels.ts";
import { isAkin } from "../entities/questionWords.ts";
import type { Task } from "./restriction.ts";
import {
	type Form,
	type Linked,
	type Noun,
	type Restricted,
	restrictedTo,
	type Span,
	type Statement,
} from "./task.ts";
import { withoutArticles } from "./words/voice.ts";

/** For "what is still to do": the unchecked boxes among `listed`, or all unchecked boxes. */
export function* openTasksIn(
	{ words, isOpen }: Form,
	graph: Graph,
	listed: ReadonlySet<number> | undefined,
): Generator<Noun> {
	const start = words.findIndex((word, index) => word === "to" && words[index + 1] === "do");
	if (!isOpen || start < 0) return;
	const open = boxesIn(graph).filter(({ object }) => graph.termAt(object).value === "false");
	yield* boxNoun([start, start + 2], listed ? open.filter(({ subject }) => listed.has(subject)) : open);
}

/** For "which tasks are done": all check boxes. */
export function* tasksIn({ words, isBare }: Form, graph: Graph): Generator<Noun> {
	const start = words.findIndex((word) => /^(?:tasks|todos|aufgaben)$/.test(word));
	if (!isBare && start >= 0) yield* boxNoun([start, start + 1], boxesIn(graph));
}

function boxesIn(graph: Graph): Statement[] {
	const predicate = graph.numberOf({ termType: "NamedNode", value: `${KEYS}done` });
	const isBox = ({ object }: Statement) => {
		const term = graph.termAt(object);
		return term.termType === "Literal" && term.datatype === `${XSD}boolean`;
	};
	return predicate === 0 ? [] : [...graph.walk({ predicate })].filter(isBox);
}

function* boxNoun(span: Span, boxes: readonly Statement[]): Generator<Noun> {
	const all = new Set(boxes.map(({ subject }) => subject));
	if (all.size > 0) yield { span, classes: [], all, has: (node) => all.has(node) };
}

const MOST_NESTED_HEADINGS = 8;

const NONE = /^(?:0+(?:[.,]0+)?|no|none|nein|kein\p{L}*|false|n\/?a|null|-+|–|—|[✗✘❌☐])$/iu;

const UNKNOWN = /^(?:unknown|unbekannt|inconnue?|tb[ad]|nan|\?+)$/i;

const HAVING = new Set(["have", "has", "had", "with"]);
const LACKING = new Set(["no", "without", "lack", "lacks", "lacking"]);

/** The members under headings or in documents whose names together contain all of the words. */
export function containedMembers(strange: readonly string[], task: Task): Restricted | undefined {
	const { graph, noun } = task;
	const isPartOf = graph.numberOf({ termType: "NamedNode", value: `${SCHEMA}isPartOf` });
	if (isPartOf === 0 || strange.length === 0 || !noun.all) return undefined;
	const wanted = strange.map(englishStem);
	const stemsAt = memoize((node: number) => nameWords(labelIn(graph, node)).map(englishStem));
	const ties = [...noun.all].flatMap((member) => {
		const around = ancestorsOf(graph, member, isPartOf);
		const stems = around.flatMap(stemsAt);
		const [object = 0] = around;
		const isMeant = wanted.every((word) => stems.some((stem) => isAkin(stem, word)));
		return isMeant ? [{ subject: member, predicate: isPartOf, object }] : [];
	});
	return ties.length > 0 ? restrictedTo(ties) : undefined;
}

function ancestorsOf(graph: Graph, member: number, isPartOf: number): number[] {
	const found: number[] = [];
	for (let node = member; found.length < MOST_NESTED_HEADINGS; ) {
		const [next] = graph.walk({ subject: node, predicate: isPartOf });
		if (!next || found.includes(next.object)) break;
		found.push(next.object);
		node = next.object;
	}
	return found;
}

interface Lacking {
	readonly span: Span;
	readonly name: string;
	readonly found: Restricted;
	/** The values to count, as for "which planet has the most moons"; absent if the members lack the property. */
	readonly counted?: Linked;
}

/** The property to have or lack, and which of both; `undefined` if the question asks for neither. */
function havingIn(after: readonly string[]) {
	const at = after.findIndex((word, index) => HAVING.has(word) || LACKING.has(word) || isOutOf(after, index));
	if (at < 0 || after.slice(0, at).some((word) => !/^(?:is|are|was|were|that|which|there)$/.test(word)))
		return undefined;
	const isOut = isOutOf(after, at);
	const isLacking = isOut || LACKING.has(after[at] ?? "") || after[at + 1] === "no";
	const name = withoutArticles(after.slice(at + (isOut ? 2 : 1))).filter((word) => word !== "no");
	return { name, isLacking };
}

/** Restricts by the presence or absence of a property: "which have a price", "without a price", "out of stock". */
export function lackingMembers(task: Task): Lacking | undefined {
	const { graph, vocabulary, words, noun } = task;
	const from = noun.span[1];
	const { name, isLacking } = havingIn(words.slice(from)) ?? {};
	if (name === undefined) return undefined;
	const [predicate, ...others] = vocabulary.propertiesNamed(name);
	if (predicate === undefined || others.length > 0 || !noun.all) return undefined;
	const { stated, having, isSure } = statedBy(predicate, task);
	const isUnclear = isLacking ? !isSure : mayHaveNone(task, stated.length - having.length);
	if (stated.length === 0 || isUnclear) return undefined;
	const span = [from, words.length] as const;
	const told = labelIn(graph, predicate);
	const found = restrictedTo(having);
	if (!isLacking) return { span, name: told, found, counted: { ...found, name: told } };
	const without = noun.all.difference(found.members);
	const because = Map.groupBy(stated, ({ subject }) => subject);
	return { span, name: `no ${told}`, found: { members: without, predicates: new Set([predicate]), because } };
}

/** Whether the question may also mean members without a value: "with a stock below 5", "with the lowest stock". */
function mayHaveNone({ limits, order }: Task, without: number): boolean {
	return limits.length > 0 || (order?.isLeast === true && without > 0);
}

/** Statements with a known value, and those with a value other than "none". `isSure` if all values are known. */
function statedBy(predicate: number, { graph, noun }: Task) {
	const all = [...(noun.all ?? [])].flatMap((member) => [...graph.walk({ subject: member, predicate })]);
	const stated = all.filter(({ object }) => !isUnknown(graph, object));
	const having = stated.filter(({ object }) => !isNone(graph, object));
	return { stated, having, isSure: stated.length === all.length };
}

/** Values that mean yes in questions for "insured". */
const FLAG = /^(?:yes|true|ja|oui|[✓✔✅☑])$/iu;
/** Values that mean yes in questions for "in stock". */
const AMOUNT = /^(?:yes|true|ja|oui|[✓✔✅☑]|\d+(?:[.,]\d+)?)$/iu;
/** Means yes if no other mark is in the column. Beside other marks, its meaning is unknown. */
const CROSS = /^x$/i;

const COMPLETED =
	/^(?:done|paid|sold|sent|built|lost|\p{L}{2,}ed|ge\p{L}+(?:t|en)|erledigt|bezahlt|verkauft|abgeschlossen)$/u;

/** Words that may follow "insured". Any other word could change the meaning. */
const JOINTS: readonly (string | undefined)[] = ["and", "or", "but", undefined];

function flagNamed(name: readonly string[], task: Task) {
	const { graph, noun } = task;
	const predicate = propertyOf(name, task);
	if (!noun.all || predicate === undefined) return undefined;
	const { stated, having } = statedBy(predicate, task);
	const marks = having.map(({ object }) => graph.termAt(object).value.trim());
	// In a column of 0 and 1, the values mean no and yes.
	const isBinary = having.length < stated.length && marks.every((mark) => mark === "1");
	const mark = name[0] === "in" && !asksAmount(task) ? AMOUNT : FLAG;
	return having.length > 0 && (isBinary || areYes(marks, name, mark)) ? { stated, having } : undefined;
}

/** The amount may be zero: "fewer than two in stock", "the least in stock". */
function asksAmount({ limits, order }: Task): boolean {
	const isPlain = limits.some(({ measure, scale }) => measure.dimension === "" && !scale);
	return isPlain || order?.scale.names.length === 0;
}

/** Like `flagNamed`, but also knows opposites: "open" tasks are not done, "unpaid" bills are not paid. */
function flagIn([start, end]: Span, task: Task) {
	const name = withoutYet(task.words.slice(start, end));
	const flag = flagNamed(name, task);
	if (flag) return { ...flag, isOpposite: false };
	const [word = "", ...more] = name;
	const [, opposite = OPEN.test(word) ? "done" : ""] = /^un(\p{L}{3,})$/u.exec(word) ?? [];
	const isDone = DONE.test(word);
	const { graph, noun, vocabulary } = task;
	const isValue = (object: number) => graph.walk({ object }).some(({ subject }) => noun.has(subject));
	const other = more.length > 0 ? undefined : flagNamed([isDone ? "done" : opposite], task);
	if (!other || vocabulary.valuesNamed(name).some(isValue)) return undefined;
	return { ...other, isOpposite: !isDone };
}

const DONE = /^(?:completed?|finished|checked|erledigt)$/;
const OPEN = /^(?:open|outstanding|pending|undone|offene?n?|unerledigte?n?)$/;

/** The rows that share a name, such as several entries of a log: "How many shifts did Ida work?" */
export function calledMembers(nodes: readonly number[], { noun, totaled }: Task): Restricted | undefined {
	const members = new Set(nodes.filter((node) => noun.all?.has(node)));
	if (members.size < (totaled ? 1 : 2)) return undefined;
	return { members, predicates: new Set(), because: new Map() };
}

export function isFlag(span: Span, task: Task): boolean {
	return flagIn(span, task) !== undefined;
}

/** The members with yes in a yes-or-no property; with no, if the words are the opposite of the property's name. */
export function flaggedMembers(span: Span, task: Task): Restricted | undefined {
	const { words, noun } = task;
	const flag = flagIn(span, task);
	if (!flag || !noun.all || !(span[1] === noun.span[0] || JOINTS.includes(words[span[1]]))) return undefined;
	const { stated, having, isOpposite } = flag;
	// If some rows say no, a row without a value may mean yes or no.
	const isPartial = having.length < stated.length && stated.length < noun.all.size;
	const isNegated = isOpposite || words.some((word) => word === "not" || LACKING.has(word));
	if (isPartial && isNegated) return undefined;
	const found = restrictedTo(having);
	if (!isOpposite) return found;
	return { ...restrictedTo(stated), members: noun.all.difference(found.members) };
}

function areYes(marks: readonly string[], name: readonly string[], mark: RegExp): boolean {
	const says = [CROSS, mark].some((yes) => marks.every((own) => yes.test(own)));
	// A date means yes in a column such as "done", but not in a column such as "due".
	return (
		says || (COMPLETED.test(name.at(-1) ?? "") && marks.every((own) => measureOf(own)?.dimension === "date"))
	);
}

function withoutYet(words: readonly string[]): readonly string[] {
	return words.at(-1) === "yet" ? words.slice(0, -1) : words;
}

/** The only property that the words name, also without a leading "in": "stock" for "in stock". */
function propertyOf(name: readonly string[], { vocabulary }: Task): number | undefined {
	const named = vocabulary.propertiesNamed(name);
	const isIn = named.length === 0 && name[0] === "in";
	const [predicate, ...others] = isIn ? vocabulary.propertiesNamed(name.slice(1)) : named;
	return others.length > 0 ? undefined : predicate;
}

function isOutOf(words: readonly string[], index: number): boolean {
	return words[index] === "out" && words[index + 1] === "of";
}

function isNone(graph: Graph, node: number): boolean {
	const term = graph.termAt(node);
	return term.termType === "Literal" && NONE.test(term.value.trim());
}

function isUnknown(graph: Graph, node: number): boolean {
	const term = graph.termAt(node);
	return term.termType === "Literal" && UNKNOWN.test(term.value.trim());
}
