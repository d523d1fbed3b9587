import { stemmer } from "stemmer";
import type { Graph } from "../../graph/facts/graph.ts";
import { nameKey, nameWords } from "../../graph/facts/labels.ts";
import { classStems } from "./named.ts";
import type { Ports, Statement } from "./task.ts";

/** What columns are called whose values tell rows apart, at the end of their names. */
const IDENTIFYING = /^(?:ids?|nr|no|code|key|nummer|kennung|kurzel|sku|isbn)$/;

type KeyPorts = Pick<Ports, "graph" | "vocabulary">;

/** The thing that a value refers to by its key, as in tables that refer to each other; or else itself. */
export function keyedBy(node: number, from: number, ports: KeyPorts): number {
	const { graph } = ports;
	if (isThing(node, graph)) return node;
	const keyed = [...graph.walk({ object: node })].filter((quad) => isKey(quad, ports));
	return onlyOf(
		keyed.map(({ subject }) => subject),
		{ node, from },
	);
}

/** The thing that a value refers to by its key or by its name; or else itself. */
export function referredTo(node: number, from: number, ports: KeyPorts & Pick<Ports, "names">): number {
	const { graph, names } = ports;
	const keyed = keyedBy(node, from, ports);
	if (keyed !== node || isThing(node, graph)) return keyed;
	const named = names.named(nameKey(nameWords(graph.termAt(node).value)));
	return onlyOf(
		named.filter((other) => isThing(other, graph)),
		{ node, from },
	);
}

/** The only other thing. */
function onlyOf(
	found: readonly number[],
	{ node, from }: { readonly node: number; readonly from: number },
): number {
	const [only = node, ...more] = new Set(found.filter((other) => other !== from));
	return more.length === 0 ? only : node;
}

/** Statements by which rows refer to a thing by its key. */
export function* referencesTo(node: number, ports: KeyPorts): Generator<Statement> {
	const { graph } = ports;
	for (const own of graph.walk({ subject: node })) {
		if (!isKey(own, ports)) continue;
		const all = [...graph.walk({ object: own.object })].filter(({ subject }) => subject !== node);
		if (!all.some((quad) => isKey(quad, ports))) yield* all;
	}
}

/** Whether a statement gives a key of its own subject: `id`, or `owner_id` of an owner. */
function isKey({ subject, predicate, object }: Statement, ports: KeyPorts): boolean {
	const { graph, vocabulary } = ports;
	if (isThing(object, graph)) return false;
	return vocabulary.namesOf(predicate).some((name) => {
		if (!IDENTIFYING.test(name.at(-1) ?? "")) return false;
		const own = name.length > 1 ? classStems(ports, subject) : [];
		return name.slice(0, -1).every((word) => own.includes(stemmer(word)));
	});
}

function isThing(node: number, graph: Graph): boolean {
	return graph.termAt(node).termType !== "Literal";
}
