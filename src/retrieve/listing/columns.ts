import { type Measure, measureOf } from "../../base/quantities/measure.ts";
import { labelIn, nameKey } from "../../graph/facts/labels.ts";
import type { Task } from "./restriction.ts";
import { type Restricted, restrictedTo, type Span, type Statement } from "./task.ts";
import { withoutArticles } from "./words/voice.ts";

const BELOW = /^(?:below|under|unter)$/;
const ABOVE = /^(?:above|over|exceeds?|exceeding|uber)$/;

interface Compared {
	readonly span: Span;
	readonly name: string;
	readonly found: Restricted;
}

/** Restricts to rows with less or more in one column than in another: "below their minimum stock". */
export function comparedMembers(task: Task): Compared | undefined {
	const { graph, words, noun, vocabulary } = task;
	const at = words.findIndex((word) => BELOW.test(word) || ABOVE.test(word));
	const [bound, ...others] = at < 0 ? [] : vocabulary.propertiesNamed(withoutArticles(words.slice(at + 1)));
	if (bound === undefined || others.length > 0) return undefined;
	const own = columnFor(bound, task);
	if (own === undefined) return undefined;
	const sign = BELOW.test(words[at] ?? "") ? 1 : -1;
	const limits = valuesOf(bound, task);
	const ties = [...valuesOf(own, task)].flatMap(([member, value]) => {
		const limit = limits.get(member);
		if (!limit || !noun.has(member) || limit.measure.dimension !== value.measure.dimension) return [];
		const isMeant = sign * (limit.measure.value - value.measure.value) > 0;
		return isMeant ? [value, limit].map(({ statement }) => ({ ...statement, member })) : [];
	});
	if (ties.length === 0) return undefined;
	const name = `${words[at]} ${labelIn(graph, bound)}`;
	return { span: [at, words.length], name, found: restrictedTo(ties) };
}

/** Minimum length of the last part of a compound, so that "age" does not count as a part of "postage". */
const SHORTEST_PART = 5;

/** The column with which the bound is compared: "stock", if the bound is "minimum stock". */
function columnFor(bound: number, { graph, vocabulary }: Task): number | undefined {
	const [row] = graph.walk({ predicate: bound });
	const beside = row ? Array.from(graph.walk({ subject: row.subject }), ({ predicate }) => predicate) : [];
	const wholes = vocabulary.namesOf(bound);
	const [own, ...others] = [...new Set(beside)].filter(
		(predicate) =>
			predicate !== bound &&
			vocabulary.namesOf(predicate).some((name) => wholes.some((whole) => endsWith(whole, name))),
	);
	return others.length === 0 ? own : undefined;
}

function endsWith(whole: readonly string[], name: readonly string[]): boolean {
	const [one, part] = [nameKey(whole), nameKey(name)];
	if (part === "" || one === part) return false;
	return nameKey(whole.slice(-name.length)) === part || (part.length >= SHORTEST_PART && one.endsWith(part));
}

function valuesOf(predicate: number, { graph }: Task) {
	const values = new Map<number, { readonly statement: Statement; readonly measure: Measure }>();
	for (const statement of graph.walk({ predicate })) {
		const measure = measureOf(graph.termAt(statement.object).value);
		if (measure) values.set(statement.subject, { statement, measure });
	}
	return values;
}
