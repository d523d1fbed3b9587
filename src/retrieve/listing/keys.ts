import type { Graph } from "../../graph/facts/graph.ts";
import { nameKey, nameWords } from "../../graph/facts/labels.ts";
import type { Ports, Statement } from "./task.ts";

/** What columns are called whose values tell rows apart, at the end of their names. */
const IDENTIFYING = /^(?:ids?|nr|no|code|key|nummer|kennung|kurzel|sku|isbn)$/;

/** More than this, and it is no key. */
const MOST_SHARING = 1;

type KeyPorts = Pick<Ports, "graph" | "vocabulary">;

/** The thing that a value refers to, by its key or by its name, as in tables that refer to each other; or else itself. */
export function referredTo(node: number, from: number, ports: KeyPorts & Pick<Ports, "names">): number {
	const { graph, names } = ports;
	const term = graph.termAt(node);
	if (term.termType !== "Literal") return node;
	const keyed = Array.from(graph.walk({ object: node }), (quad) => quad).filter((quad) => isKey(quad, ports));
	const named = names.named(nameKey(nameWords(term.value))).filter((other) => isThing(other, graph));
	const found = new Set([...keyed.map(({ subject }) => subject), ...named].filter((other) => other !== from));
	const [only = node, ...others] = found;
	return others.length < MOST_SHARING ? only : node;
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
