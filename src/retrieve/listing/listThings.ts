import { wordSet } from "../../base/words/wordList.ts";
import type { Listing } from "../../core/knowledge/knowledge.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { keyOf, labelIn, nameKey } from "../../graph/facts/labels.ts";
import { comparedMembers } from "./columns.ts";
import { compareThings } from "./comparison.ts";
import { germanFormsOf } from "./germanQuestion.ts";
import { limited } from "./limited.ts";
import { formsOf } from "./limits.ts";
import { classedMembers, isOfSeveralKinds, membersOf, nounsIn } from "./members.ts";
import { classStems, isNamedIn, isOfOne, type Named, namedIn, properIn } from "./named.ts";
import { followPath } from "./path.ts";
import {
	calledMembers,
	containedMembers,
	flaggedMembers,
	isFlag,
	lackingMembers,
	openTasksIn,
	tasksIn,
} from "./records.ts";
import { createRestriction, isElse, type Task } from "./restriction.ts";
import { linkedMembers, valuedMembers } from "./restrictions.ts";
import {
	type Form,
	type Left,
	type Linked,
	type ListingPorts,
	type Noun,
	type Ports,
	perQuestion,
	type Restricted,
	type Span,
} from "./task.ts";
import { tell } from "./tell.ts";
import { tablesIn, totalFormOf } from "./totals.ts";
import { valuesWith } from "./values.ts";
import { isPlural, vocabularyOf } from "./vocabulary.ts";
import { plainlyAsked, withDigits } from "./words/wording.ts";

const MOST_WORDS_OF_VALUE = 6;

const MOST_LINKED_THINGS = 2000;

const BEING = wordSet("are were that which also");

/** Words that leave open which noun a class restricts, or whether all of several links are required. */
const TOGETHER = wordSet("and both all every any several many");

/** A complete list, count, sum or value from the graph; `undefined` unless every word is understood. */
export function listThings(asked: string, ports: ListingPorts): Listing | undefined {
	const { graph, names } = ports;
	const query = plainlyAsked(asked);
	const compared = compareThings(query, ports);
	if (compared) return compared;
	const vocabulary = vocabularyOf(graph, names);
	const proper = properIn(query);
	for (const question of new Set([query, withDigits(query)])) {
		const listing = listFor(question, { ...ports, vocabulary, proper });
		if (listing) return listing;
	}
	const total = totalFormOf(asked);
	return (
		(total && listBy(total, { ...ports, vocabulary, proper })) ??
		followPath(query, { ...ports, vocabulary, proper })
	);
}

/** Asks how many there may be, which no list of those that there are can tell. */
const CAPACITY = /^how many\s.+\s(?:can|could|may|might)\s/i;

function listFor(question: string, ports: Ports): Listing | undefined {
	if (CAPACITY.test(question)) return undefined;
	const { names, vocabulary } = ports;
	const isNamed = (words: readonly string[]) => isNamedIn(words, names);
	for (const form of [...formsOf(question), ...germanFormsOf(question, vocabulary, isNamed)]) {
		const listing = isOfOne(form, ports) ? undefined : listBy(form, ports);
		if (listing) return listing;
	}
	return undefined;
}

/** The list for the first possible noun. If several tables have the noun, the question must restrict one of them. */
function listBy(form: Form, ports: Ports): Listing | undefined {
	const ofTables: { readonly listing: Listing; readonly isWhole: boolean }[] = [];
	for (const noun of nounsFor(form, ports)) {
		const found = restrict(form, noun, ports);
		const listing = found && tell(form, noun, found, ports);
		if (!listing) continue;
		if (noun.table === undefined) return listing;
		ofTables.push({ listing, isWhole: found.told.length === 0 });
	}
	const restricted = ofTables.filter(({ isWhole }) => !isWhole);
	const [only, ...others] = restricted.length > 0 || !form.totaled ? restricted : ofTables;
	return others.length === 0 ? only?.listing : undefined;
}

function* nounsFor(form: Form, { graph, vocabulary }: Ports): Generator<Noun> {
	if (form.totaled) return yield* tablesIn(form, graph, vocabulary);
	const listed = vocabulary.classesNamed(["to", "do"]);
	yield* openTasksIn(form, graph, listed.length > 0 ? membersOf(graph, listed, vocabulary) : undefined);
	yield* nounsIn(form, graph, vocabulary);
	yield* tasksIn(form, graph);
}

/** Returns `undefined` if a word is not understood. */
function restrict(form: Form, noun: Noun, ports: Ports): Left | undefined {
	const { words } = form;
	if (isElse(words, noun, ports.vocabulary)) return undefined;
	const taskOf = (): Task => ({
		...ports,
		...form,
		noun,
		restriction: createRestriction(words, noun, ports),
	});
	const task = taskOf();
	restrictByClasses(task);
	const linked = restrictByWords(task);
	const inContext = () => {
		restrictByContext(task);
		return limited(form, task, linked);
	};
	// Tries twice: the first attempt may explain words that are no context, as in "workshops for less than £6 per
	// pupil".
	const result = inContext() ?? inContext() ?? byKindAlone(form, taskOf());
	const isWhole = result?.told.length === 0;
	const isUnsure = form.isCount && isOfSeveralKinds(ports.graph, noun.classes, ports.vocabulary);
	return isWhole && (form.isBare || isUnsure) ? undefined : result;
}

/** Restricts by columns, else by names and values, else by a class. Returns links whose number may be asked for. */
function restrictByWords(task: Task): Linked | undefined {
	const { restriction } = task;
	const compared = comparedMembers(task);
	if (compared) restriction.take(compared.span, compared.name, compared.found);
	const having = lackingMembers(task);
	if (having) restriction.take(having.span, having.name, having.found);
	else restrictByValues(task, restrictByNames(task));
	return restriction.isNew() ? restrictByKind(task) : having?.counted;
}

/** Restricts by a class of linked things only: in "reviews of books by X", X does not restrict the reviews. */
function byKindAlone(form: Form, task: Task) {
	return limited(form, task, restrictByKind(task));
}

/** Restricts to members that also belong to another class: "sensor switches", "which switches are sensors". */
function restrictByClasses(task: Task): void {
	const { words, noun, restriction, graph, vocabulary } = task;
	const [start, end] = noun.span;
	for (const span of spansOf(words.length)) {
		const own = words.slice(...span);
		const isBefore = span[1] === start;
		const isBehind =
			span[0] > end && isPlural(own) && words.slice(end, span[0]).every((word) => BEING.has(word));
		if (!(isBefore || isBehind) || !restriction.isStrange(span)) continue;
		const found = classedMembers(vocabulary.classesNamed(own), task);
		if (found) restriction.take(span, calledIn(graph, own, found), found);
	}
}

/** Restricts by named resources. Returns the ambiguous names, which must not be read as values. */
function restrictByNames(task: Task): Span[] {
	const { graph, names, restriction } = task;
	const named = namedIn(task).filter((one) => !isCell(one, task));
	const things = named.filter(({ nodes }) => nodes.some((node) => names.kindOf(node) === "thing"));
	const unsure: Span[] = [];
	for (const { span, nodes, isPart = false } of named) {
		const read = () => linkedMembers(nodes, { ...task, span }) ?? calledMembers(nodes, task);
		const found = restriction.isStrange(span) ? read() : undefined;
		if (!found) {
			if (!isPart && areLinked(nodes, task)) unsure.push(span);
			continue;
		}
		restriction.take(span, labelIn(graph, nodes[0]), found);
		const linked = new Set(
			[...found.because.values()].flat().flatMap(({ subject, object }) => [subject, object]),
		);
		const stems = nodes.filter((node) => linked.has(node)).flatMap((node) => classStems(task, node));
		const others = things.filter((other) => other.span !== span).map((other) => other.span);
		restriction.heed(stems, (index) => others.some(([start, end]) => start <= index && index < end));
	}
	return unsure;
}

/** Whether a name is only a value. Values are found otherwise, because a cell may contain several: "lunch, dinner". */
function isCell({ span, nodes }: Named, { graph, noun, words }: Task): boolean {
	const called = nameKey(words.slice(...span));
	const isValue = (node: number) =>
		graph.termAt(node).termType === "Literal" && keyOf(labelIn(graph, node)) === called;
	return noun.all !== undefined && nodes.every(isValue);
}

function areLinked(nodes: readonly number[], { graph, noun }: Task): boolean {
	return nodes.some((node) => {
		if (graph.termAt(node).termType === "Literal") return false;
		const around = [...graph.walk({ object: node }), ...graph.walk({ subject: node })];
		return around.some(({ subject, object }) => noun.has(subject === node ? object : subject));
	});
}

function restrictByValues(task: Task, unsure: readonly Span[]): void {
	const { words, restriction, noun } = task;
	if (!noun.all) return;
	const values = valuesWith(restriction.strange(), task);
	for (const span of spansOf(words.length)) {
		if (!restriction.isStrange(span) || isNoValue(span, task, unsure)) continue;
		const found = isFlag(span, task) ? flaggedMembers(span, task) : valuedMembers(values, { ...task, span });
		if (found) restriction.take(span, calledIn(task.graph, words.slice(...span), found), found);
	}
}

function isNoValue(span: Span, { words, noun, vocabulary }: Task, unsure: readonly Span[]): boolean {
	const [from, to] = span;
	const [word = "", ...more] = words.slice(from, to);
	if (unsure.some(([start, end]) => start < to && from < end)) return true;
	// "2024" may belong to the name of a column: "the highest amount 2024".
	const isOfName = (own: string) => /\d/.test(own) && vocabulary.propertyWords().has(own);
	if (more.length > 0) return words.slice(from, to).some(isOfName);
	// In "which 2 boats", 2 is a count. A class in the plural is not a value either.
	const isNumber = from === 0 && to === noun.span[0] && /^\d{1,3}$/.test(word);
	const isKind = noun.table === undefined && isPlural([word]) && vocabulary.classesNamed([word]).length > 0;
	return isNumber || isOfName(word) || isKind;
}

/** The words, spelled as in the graph if they are the label of the found value or property. */
function calledIn(graph: Graph, words: readonly string[], { because }: Restricted): string {
	const [first] = [...because.values()].flat();
	const labels = first ? [first.object, first.predicate].map((node) => labelIn(graph, node)) : [];
	return labels.find((label) => keyOf(label) === nameKey(words)) ?? words.join(" ");
}

/** Restricts by headings: "the ingredients of the soup". */
function restrictByContext(task: Task): void {
	const { words, restriction } = task;
	const strange = words.flatMap((_, index) => (restriction.isStrange([index, index + 1]) ? [index] : []));
	const [first, last] = [strange[0], strange.at(-1)];
	if (first === undefined || last === undefined) return;
	const found = containedMembers(restriction.strange(), task);
	if (found) restriction.take([first, last + 1], restriction.strange().join(" "), found);
}

/** Restricts by the class of linked resources: "which people write reviews", "which write books about fog". */
function restrictByKind(task: Task): Linked | undefined {
	const { words, noun, restriction } = task;
	const end = words.length;
	for (let start = noun.span[1]; start < end; start++) {
		const others = otherThings(start, task);
		const span = [start, end] as const;
		// "Which beers are pubs" does not ask for beers in pubs.
		const isSame = start > noun.span[1] && words.slice(noun.span[1], start).every((word) => BEING.has(word));
		if (!others || isSame) continue;
		const found = linkedMembers([...others.members], { ...task, span });
		if (!found) continue;
		restriction.take(span, others.name, found);
		return { ...found, name: others.name };
	}
	return undefined;
}

/** The things that the words from `start` mean: a class in the plural, possibly restricted by further words. */
function otherThings(start: number, task: Task): OtherThings | undefined {
	const { words, noun, isOther = false } = task;
	if (isOther || words.slice(noun.span[1]).some((word) => TOGETHER.has(word))) return undefined;
	return knownThings({ ...task, start });
}

interface OtherThings {
	readonly members: ReadonlySet<number>;
	readonly name: string;
}

const knownThings = perQuestion(thingsFrom, ({ start }) => start);

function thingsFrom({ start, ...task }: Task & { readonly start: number }): OtherThings | undefined {
	const { graph, vocabulary } = task;
	const form = { words: task.words.slice(start), needsPlural: true, limits: [] };
	for (const noun of nounsIn(form, graph, vocabulary)) {
		const [kind] = noun.classes;
		if (kind === undefined || noun.span[0] > 0) continue;
		const found = restrict(form, noun, { ...task, isOther: true });
		if (found && found.members.size <= MOST_LINKED_THINGS)
			return { members: found.members, name: `${labelIn(graph, kind)}${found.told.join(" and")}` };
	}
	return undefined;
}

function spansOf(words: number): Span[] {
	const lengths = Array.from(
		{ length: Math.min(words, MOST_WORDS_OF_VALUE) },
		(_, less) => less + 1,
	).reverse();
	return lengths.flatMap((length) =>
		Array.from({ length: words - length + 1 }, (_, start): Span => [start, start + length]),
	);
}
