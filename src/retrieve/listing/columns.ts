import { measureOf } from "../../base/quantities/measure.ts";
import { labelIn, nameKey } from "../../graph/facts/labels.ts";
import { type Restricted, restrictedTo, type Span, type Statement, type Task } from "./task.ts";
import { withoutArticles } from "./voice.ts";

const BELOW = /^(?:below|under|unter)$/;
const ABOVE = /^(?:above|over|exceeds?|exceeding|uber)$/;

interface Compared {
	readonly span: Span;
	readonly name: string;
	readonly found: Restricted;
}

/** "Below their minimum stock": those of which one column has less than the other one says. */
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
		const isMeant = noun.has(member) && limit !== undefined && sign * (limit.measure - value.measure) > 0;
		return isMeant ? [value, limit].map(({ statement }) => ({ ...statement, member })) : [];
	});
	if (ties.length === 0) return undefined;
	const name = `${words[at]} ${labelIn(graph, bound)}`;
	return { span: [at, words.length], name, found: restrictedTo(ties) };
}

/** The column with whose name the other one's ends: stock for minimum stock, Bestand for Mindestbestand. */
function columnFor(bound: number, { graph, vocabulary }: Task): number | undefined {
	const keysOf = (predicate: number) => vocabulary.namesOf(predicate).map(nameKey).filter(Boolean);
	const [own, ...others] = graph
		.predicates()
		.filter((predicate) => predicate !== bound)
		.filter((predicate) =>
			keysOf(predicate).some((key) => keysOf(bound).some((whole) => whole.endsWith(key))),
		);
	return others.length === 0 ? own : undefined;
}

function valuesOf(predicate: number, { graph }: Task) {
	const values = new Map<number, { readonly statement: Statement; readonly measure: number }>();
	for (const statement of graph.walk({ predicate })) {
		const measure = measureOf(graph.termAt(statement.object).value);
		if (measure) values.set(statement.subject, { statement, measure: measure.value });
	}
	return values;
}
