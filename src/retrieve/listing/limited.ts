import { stemmer } from "stemmer";
import { labelIn } from "../../graph/facts/labels.ts";
import type { Form } from "./form.ts";
import { type Limit, within } from "./limits.ts";
import type { Task } from "./listThings.ts";
import { type Gauge, gaugeFor, type Measured } from "./measured.ts";
import type { Left } from "./restriction.ts";
import { restrictedTo } from "./restrictions.ts";
import { type Scale, scaleNaming } from "./scales.ts";

/** What is left of the members by their values, after what they are linked with. */
export function limited({ limits, order, words }: Form, task: Task): Left | undefined {
	const { noun, restriction } = task;
	if (limits.length === 0 && !order) return restriction.result();
	const all = restriction.members();
	if (!all) return undefined;
	// "Products wider than …" says no property of which the name has "product".
	const isOfNoun = (word: string) => words.slice(...noun.span).includes(word);
	let kept: ReadonlySet<number> = all;
	const chosen: { readonly gauge: Gauge; readonly values: readonly Measured[]; readonly told: string }[] = [];
	for (const limit of limits) {
		const scale = limit.scale ?? scaleIn(limit.words);
		const gauge = gaugeFor(
			kept,
			(limit.words.length > 0 ? limit.words : words).filter((word) => !isOfNoun(word)),
			scale,
			task,
		);
		const values = gauge && within(gauge, limit);
		if (!values) return undefined;
		chosen.push({ gauge, values, told: toldOf(limit, gauge, task) });
		heed(gauge, scale, task);
		kept = kept.intersection(new Set(values.map(({ node }) => node)));
	}
	if (order) {
		const others = words.filter((_, index) => index < noun.span[0] || index >= noun.span[1]);
		const gauge = gaugeFor(kept, others, order.scale, task);
		if (!gauge) return undefined;
		const values = extremesOf(
			gauge.values.filter(({ node }) => kept.has(node)),
			order.isLeast,
		);
		chosen.push({
			gauge,
			values,
			told: ` with the ${order.isLeast ? "lowest" : "highest"} ${labelIn(task.graph, gauge.predicate)}`,
		});
		heed(gauge, order.scale, task);
		kept = new Set(values.map(({ node }) => node));
	}
	const left = restriction.result();
	if (!left) return undefined;
	const members = left.members.intersection(kept);
	const because = new Map(left.because);
	for (const { gauge, values } of chosen)
		for (const [member, statements] of restrictedTo(values.map((value) => statementOf(gauge, value))).because)
			because.set(member, [...statements, ...(because.get(member) ?? [])]);
	return members.size === 0
		? undefined
		: { members, because, told: [...left.told, ...chosen.map(({ told }) => told)] };
}

function scaleIn(words: readonly string[]): Scale | undefined {
	return words.map((word) => scaleNaming(stemmer(word))).find((scale) => scale !== undefined);
}

function statementOf({ predicate }: Gauge, { node, object }: Measured) {
	return { member: node, subject: node, predicate, object };
}

/** What a property is called, and how its scale speaks of it, is understood. */
function heed({ predicate }: Gauge, scale: Scale | undefined, { restriction, vocabulary }: Task): void {
	restriction.heed(vocabulary.namesOf(predicate).flat().map(stemmer));
	restriction.heed(scale?.names ?? []);
}

function toldOf(
	{ isAbove, isInclusive, measure, written }: Limit,
	{ predicate }: Gauge,
	{ graph }: Task,
): string {
	const end = isAbove ? "least" : "most";
	const than = isAbove ? "more than" : "less than";
	const value =
		measure.dimension === "date" ? new Date(measure.value * 86_400_000).toISOString().slice(0, 10) : written;
	return ` with ${labelIn(graph, predicate)} ${isInclusive ? `at ${end}` : than} ${value}`;
}

/** Those with the first or the last value. */
function extremesOf(values: readonly Measured[], isLeast: boolean): readonly Measured[] {
	const sign = isLeast ? -1 : 1;
	const best = values.reduce(
		(most, { measure }) => Math.max(most, sign * measure.value),
		Number.NEGATIVE_INFINITY,
	);
	return values.filter(({ measure }) => sign * measure.value === best);
}
