import type { Graph } from "../../graph/facts/graph.ts";
import { type ResourceView, viewResource } from "../../graph/facts/resourceView.ts";

const SHOWN = 10;

/** What a resource is linked with, a line for each property, with labels from all documents and honest totals. */
export function describeLinks(graph: Graph, id: string): string[] {
	const view = viewResource(graph, id, SHOWN);
	if (!view) return [];
	return [...outgoingOf(view), ...incomingOf(view), ...aliasesOf(view)];
}

function outgoingOf({ properties }: ResourceView): string[] {
	return properties.flatMap(({ label, values, total }) => {
		const resources = values.filter(({ term }) => term.termType === "NamedNode");
		if (resources.length === 0) return [];
		const names = resources.map((value) => nameOf(value.term.value, value.label));
		return [`${label} → ${listOf(names, total)}`];
	});
}

function incomingOf({ incoming }: ResourceView): string[] {
	return incoming.map(({ label, subjects, total }) => {
		const names = subjects.map((subject) => nameOf(subject.id, subject.label));
		return `is the ${label} of ← ${listOf(names, total)}`;
	});
}

function aliasesOf({ aliases }: ResourceView): string[] {
	return aliases.length > 0 ? [`seems to be the same as: ${aliases.join(", ")}`] : [];
}

function nameOf(id: string, label?: string): string {
	if (id.startsWith("_:")) return label ?? "something nameless";
	return label && label !== id ? `${label} <${id}>` : `<${id}>`;
}

function listOf(names: readonly string[], total: number): string {
	const left = total - names.length;
	return `${names.join("; ")}${left > 0 ? ` (and ${left} more of ${total})` : ""}`;
}
