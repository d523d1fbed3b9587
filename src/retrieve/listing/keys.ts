import type { Graph } from "../../graph/facts/graph.ts";
import { nameKey, nameWords } from "../../graph/facts/labels.ts";
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
		if (!isKey(own, ports) || [...graph.walk({ predicate: own.predicate, object: own.object })].length > 1)
			continue;
		for (const quad of graph.walk({ object: own.object }))
			if (quad.subject !== node && quad.predicate !== own.predicate) yield quad;
	}
}

function isKey({ predicate, object }: Statement, { graph, vocabulary }: KeyPorts): boolean {
	if (graph.termAt(object).termType !== "Literal") return false;
	return vocabulary.namesOf(predicate).some((name) => name.length === 1 && IDENTIFYING.test(name[0] ?? ""));
}

function isThing(node: number, graph: Graph): boolean {
	return graph.termAt(node).termType !== "Literal";
}
