import { englishStem } from "../../base/language/englishStem.ts";
import { labelIn, nameWords } from "../../graph/facts/labels.ts";
import { canAdd } from "./adding.ts";
import { gaugeFor } from "./gauge.ts";
import { within } from "./limits.ts";
import type { Task } from "./restriction.ts";
import type { Form, Gauge, Left, Limit, Linked, Measured } from "./task.ts";
import { type Scale, type ScaleWord, scaleNaming } from "./words/scales.ts";
import type { Totaled } from "./words/totals.ts";

interface Chosen {
	readonly gauge: Gauge;
	readonly values: readonly Measured[];
	readonly told?: string;
}

/** The members that remain; `undefined` if a limit, an order or a total is not understood. */
export function limited(form: Form, task: Task, linked: Linked | undefined): Left | undefined {
	const { restriction } = task;
	if (form.limits.length === 0 && !form.order && !form.totaled) return restriction.result();
	const chosen = chooseAll(form, task);
	if (!chosen) return byNumber(form, task, linked);
	const result = restriction.result();
	if (!result) return undefined;
	// Starts with the values, so that the members have the order of the values.
	const members = chosen.reduceRight(
		(kept, { values }) => new Set(values.map(({ node }) => node)).intersection(kept),
		result.members,
	);
	const because = new Map(result.because);
	for (const one of chosen)
		for (const [member, statements] of becauseOf(one))
			because.set(member, [...statements, ...(because.get(member) ?? [])]);
	const told = [...result.told, ...chosen.flatMap((one) => one.told ?? [])];
	const left = { members, because, told };
	return members.size > 0 ? withAdded(left, form.totaled && chosen.at(-1)) : undefined;
}

function withAdded(left: Left, chosen: Chosen | undefined): Left {
	if (!chosen) return left;
	const values = chosen.values.filter(({ node }) => left.members.has(node));
	return { ...left, added: { predicate: chosen.gauge.predicate, values } };
}

/** Orders members by the number of things that they are linked with: "which department has the most employees". */
function byNumber(
	{ limits, order }: Form,
	{ noun, restriction }: Task,
	linked: Linked | undefined,
): Left | undefined {
	const left = linked && restriction.result();
	if (!left || order?.scale.names.length !== 0 || limits.length > 0) return undefined;
	const { isLeast } = order;
	// Requires links of all members for "the fewest": a member without links would have the fewest.
	if (isLeast && noun.all?.isSubsetOf(linked.members) !== true) return undefined;
	const all = Array.from(linked.because, ([node, statements]) => {
		const others = new Set(statements.map(({ subject, object }) => (subject === node ? object : subject)));
		return { node, measure: { value: others.size } };
	});
	// If each member has exactly one link, no member has the most.
	if (all.every(({ measure }) => measure.value === 1)) return undefined;
	const values = extremesOf(all, isLeast);
	const by = new Map(values.map(({ node, measure }) => [node, measure.value]));
	const told = [...left.told, ` with the ${isLeast ? "fewest" : "most"} of these`];
	return { members: new Set(by.keys()), because: left.because, told, numbers: { name: linked.name, by } };
}

function chooseAll({ limits, order, totaled }: Form, task: Task): Chosen[] | undefined {
	const all = task.restriction.members();
	if (!all) return undefined;
	let kept: ReadonlySet<number> = all;
	const chosen: Chosen[] = [];
	for (const choose of [
		...limits.map((limit) => byLimit(limit)),
		...(order ? [byOrder(order, limits.length > 0)] : []),
		...(totaled ? [byTotal(totaled)] : []),
	]) {
		const next = choose(kept, task);
		if (!next) return undefined;
		chosen.push(next);
		kept = kept.intersection(new Set(next.values.map(({ node }) => node)));
	}
	return chosen;
}

type Choose = (kept: ReadonlySet<number>, task: Task) => Chosen | undefined;

function byLimit(limit: Limit): Choose {
	return (kept, task) => {
		const scale = limit.scale ?? scaleIn(limit.words);
		const { dimension } = limit.measure;
		// Ignores the noun, which names no property: "product" in "products wider than …".
		const noun = task.words.slice(...task.noun.span);
		const gaugeBy = (words: readonly string[]) =>
			gaugeFor(kept, { words: words.filter((word) => !noun.includes(word)), scale, dimension }, task);
		// The name of the property may also follow the value: "more than 300 pages", "nach dem 20. Juli fällig".
		const gauge = gaugeBy(limit.words) ?? gaugeBy(task.words);
		const own = gauge?.isAge ? inYears(limit) : limit;
		const values = gauge && within(gauge, own);
		if (!values) return undefined;
		heed(gauge, scale, task);
		return { gauge, values, told: toldOf(own, gauge, task) };
	};
}

const YEAR_SECONDS = 31_556_952;

/** Converts a limit on dates into a limit on ages in years: "older" means an earlier date but a higher age. */
function inYears({ isAbove, measure, ...limit }: Limit): Limit {
	const { dimension, value } = measure;
	const years = dimension === "time" ? { dimension: "", value: value / YEAR_SECONDS } : measure;
	return { ...limit, isAbove: !isAbove, measure: years };
}

function byOrder(order: ScaleWord, hasLimit: boolean): Choose {
	const { scale, isLeast, count, word = "", next = [] } = order;
	return (kept, task) => {
		const others = task.words.toSpliced(task.noun.span[0], task.noun.span[1] - task.noun.span[0]);
		// In "the most pages", only the words after "most" name the property.
		const words = scale.names.length > 0 ? others : next;
		const gauge = gaugeFor(kept, { words, scale }, task);
		if (!gauge) return undefined;
		// In "first brewed after 2010", "first" asks for no order but belongs to the name of the property.
		if (hasLimit && task.vocabulary.namesOf(gauge.predicate).some((name) => name.includes(word)))
			return undefined;
		heed(gauge, scale, task);
		const isLow = gauge.isAge ? !isLeast : isLeast;
		const told = ` with the ${endOf(isLow, count)} ${labelIn(task.graph, gauge.predicate)}`;
		return { gauge, values: extremesOf(gauge.values, isLow, count), told };
	};
}

function byTotal(totaled: Totaled): Choose {
	const { scale, unit, adding } = totaled;
	return (rows, task) => {
		// In "how many kilometres did we travel", only the unit names the property.
		const gaugeBy = (words: readonly string[]) =>
			unit
				? gaugeFor(rows, { words: [unit.word], scale: undefined, dimension: unit.dimension }, task)
				: gaugeFor(rows, { words: [...words, ...adding], scale }, task);
		// In "the total of all orders", "orders" is the name of the table and does not mean a column "order".
		const table = nameWords(labelIn(task.graph, task.noun.table)).map(englishStem);
		const gauge =
			gaugeBy(task.words) ?? gaugeBy(task.words.filter((word) => !table.includes(englishStem(word))));
		if (!gauge || !canAdd(gauge, { ...task, ...totaled, rows })) return undefined;
		heed(gauge, scale, task);
		task.restriction.heed(totaled.heeded);
		return { gauge, values: gauge.values };
	};
}

function endOf(isLeast: boolean, count: number | undefined): string {
	return [count ?? "", isLeast ? "lowest" : "highest"].join(" ").trim();
}

function scaleIn(words: readonly string[]): Scale | undefined {
	return words.map((word) => scaleNaming(englishStem(word))).find((scale) => scale !== undefined);
}

function becauseOf({ gauge: { predicate }, values }: Chosen) {
	return Map.groupBy(
		values.map(({ node, object }) => ({ subject: node, predicate, object })),
		({ subject }) => subject,
	);
}

function heed({ predicate }: Gauge, scale: Scale | undefined, { restriction, vocabulary }: Task): void {
	restriction.heed(vocabulary.namesOf(predicate).flat().map(englishStem));
	restriction.heed(scale?.names ?? []);
}

function toldOf({ isAbove, isInclusive, written }: Limit, { predicate }: Gauge, { graph }: Task): string {
	const [end, than] = isAbove ? ["at least", "more than"] : ["at most", "less than"];
	return ` with ${labelIn(graph, predicate)} ${isInclusive ? end : than} ${written}`;
}

/** The `count` lowest or highest values, the extreme first, with further values that equal the last one. */
function extremesOf<Value extends { readonly measure: { readonly value: number } }>(
	values: readonly Value[],
	isLeast: boolean,
	count = 1,
): readonly Value[] {
	const sign = isLeast ? 1 : -1;
	const sorted = values.toSorted((a, b) => sign * (a.measure.value - b.measure.value));
	const last = sorted[count - 1]?.measure.value ?? Number.NaN;
	return sorted.filter(({ measure }, index) => index < count || measure.value === last);
}
