import { englishStem } from "../../base/language/englishStem.ts";
import { type Graph, perVersion } from "../../graph/facts/graph.ts";
import { keyOf } from "../../graph/facts/labels.ts";
import { classStems } from "./named.ts";
import type { Ports, Statement } from "./task.ts";
import type { Naming, Vocabulary } from "./vocabulary.ts";

/** Last words in the names of columns whose values identify rows. */
const IDENTIFYING = /^(?:ids?|nr|no|code|key|nummer|kennung|kurzel|sku|isbn)$/;

/** Maximum number of statements with the same value: a more frequent value is an ordinary number and not a key. */
const MOST_WITH_KEY = 5000;

/** Statements with the keys of things, by value and by thing. The property is `id`, or `owner_id` for the class Owner. */
const keysIn = perVersion((graph: Graph, vocabulary: Vocabulary) => {
	const keys = [...identifying(graph, vocabulary)].filter(([{ subject }, name]) => {
		const own = name.length > 1 ? classStems({ graph, vocabulary }, subject) : [];
		return name.slice(0, -1).every((word) => own.includes(englishStem(word)));
	});
	const statements = keys.map(([statement]) => statement);
	return {
		byValue: Map.groupBy(statements, ({ object }) => object),
		byThing: Map.groupBy(statements, ({ subject }) => subject),
	};
});

function* identifying(graph: Graph, vocabulary: Vocabulary) {
	for (const predicate of graph.predicates()) {
		const name = vocabulary.namesOf(predicate).find((words) => IDENTIFYING.test(words.at(-1) ?? ""));
		if (!name) continue;
		for (const statement of graph.walk({ predicate }))
			if (!isThing(statement.object, graph)) yield [statement, name] as const;
	}
}

/** The thing whose key the value is, as in references between tables. If there is none, the value itself. */
export function keyedBy({ subject, predicate, object }: Statement, ports: Naming): number {
	const { graph, vocabulary } = ports;
	const owners = keysIn(graph, vocabulary).byValue.get(object) ?? [];
	const others = owners.filter((key) => key.subject !== subject && refersTo(key.subject, predicate, ports));
	return onlyOf(
		others.map((key) => key.subject),
		object,
	);
}

/** The thing whose key or name the value is. If there is none, the value itself. */
export function referredTo(statement: Statement, ports: Naming & Pick<Ports, "names">): number {
	const { graph, names } = ports;
	const { subject, object } = statement;
	const keyed = keyedBy(statement, ports);
	if (keyed !== object || isThing(object, graph)) return keyed;
	const named = names.named(keyOf(graph.termAt(object).value));
	return onlyOf(
		named.filter((other) => other !== subject && isThing(other, graph)),
		object,
	);
}

function onlyOf(found: readonly number[], fallback: number): number {
	const [only = fallback, ...more] = new Set(found);
	return more.length === 0 ? only : fallback;
}

/** Statements whose value is the key of the thing. */
export function referencesTo(node: number, ports: Naming): Statement[] {
	const { graph, vocabulary } = ports;
	const { byThing, byValue } = keysIn(graph, vocabulary);
	return (byThing.get(node) ?? []).flatMap(({ object }) => {
		const isShared = byValue.get(object)?.some(({ subject }) => subject !== node);
		const all = isShared ? [] : [...graph.walk({ object }).take(MOST_WITH_KEY + 1)];
		if (all.length > MOST_WITH_KEY) return [];
		return all.filter(({ subject, predicate }) => subject !== node && refersTo(node, predicate, ports));
	});
}

/** Whether a property may contain keys of a thing: of a station, `station_id` and `home_station` may. */
function refersTo(thing: number, predicate: number, ports: Naming): boolean {
	const kinds = classStems(ports, thing);
	return ports.vocabulary
		.namesOf(predicate)
		.some(
			(name) => IDENTIFYING.test(name.at(-1) ?? "") || name.some((word) => kinds.includes(englishStem(word))),
		);
}

function isThing(node: number, graph: Graph): boolean {
	return graph.termAt(node).termType !== "Literal";
}
