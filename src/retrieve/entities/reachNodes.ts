import { memoize } from "../../base/jobs/lazily.ts";
import { localNameOf, RDF_TYPE } from "../../base/rdf/vocabulary.ts";
import type { Term } from "../../core/knowledge/rdf.ts";
import type { Graph } from "../../graph/facts/graph.ts";
import { nameOf } from "../../graph/facts/labels.ts";
import type { NumberPattern } from "../../graph/facts/quadTable.ts";
import type { EntityLink } from "./linkEntities.ts";

/** A path from a named node to another node, in terms that remain valid if the graph changes. */
export interface GraphPath {
	readonly from: Term;
	readonly steps: readonly {
		readonly property: string;
		readonly isInverse: boolean;
		readonly to: Term;
	}[];
}

export function pathTo(graph: Graph, { node, last, before }: ReachedNode): GraphPath {
	if (!last || !before) return { from: graph.termAt(node), steps: [] };
	const { from, steps } = pathTo(graph, before);
	const property = graph.termAt(last.predicate).value;
	return { from, steps: [...steps, { property, isInverse: last.isInverse, to: graph.termAt(node) }] };
}

/** Formats a path: `Ada Byron → worksFor → Analytical Society`; inverse steps as `← worksFor ←`. */
export function describePath(graph: Graph, { from, steps }: GraphPath): string {
	const walked = steps.map(({ property, isInverse, to }) => {
		const [before, after] = isInverse ? ["←", "←"] : ["→", "→"];
		return `${before} ${localNameOf(property)} ${after} ${nameIn(graph, to)}`;
	});
	return [nameIn(graph, from), ...walked].join(" ");
}

function nameIn(graph: Graph, term: Term): string {
	return term.termType === "Literal" ? `“${term.value}”` : nameOf(graph, term);
}

/** A node that a question names or that is at most two statements away from a named node. */
export interface ReachedNode {
	readonly node: number;
	/** From 0 to 1; comparable only within one question. */
	readonly score: number;
	/** How the question names the node; absent for nodes reached by steps. */
	readonly link?: EntityLink;
	/** Last step of the path; absent for a named node. */
	readonly last?: Step;
	readonly before?: ReachedNode;
}

interface Step {
	readonly predicate: number;
	/** Whether the step leads from the object of a statement to its subject. */
	readonly isInverse: boolean;
	readonly to: number;
}

/** Rates how well a property fits a question, from 0 to 1. */
export type PropertyFit = (predicate: number) => number;

const MOST_STATEMENTS_OF_NODE = 300;
const MOST_STATEMENTS_IN_ALL = 2000;

/** Maximum number of nodes from which a second step is taken. */
const MOST_BETWEEN = 120;

const DECAY_PER_STEP = 0.5;

const LEAST_FIT = 0.15;

/** The named nodes and their neighbors, best first. Includes named nodes again if two statements lead back to them. */
export function reachNodes(graph: Graph, links: readonly EntityLink[], fitOf: PropertyFit): ReachedNode[] {
	const best = new Map<number, ReachedNode>();
	const note = (reached: ReachedNode) => {
		const known = best.get(reached.node);
		if (!known || known.score < reached.score) best.set(reached.node, reached);
	};
	const walk = createWalk(graph, fitOf);
	const named = links.map((link): ReachedNode => ({ node: link.node, score: link.weight, link }));
	const near = named.flatMap(walk);
	for (const reached of near) note(reached);
	const between = near
		.filter(({ node }) => graph.termAt(node).termType !== "Literal")
		.sort((a, b) => b.score - a.score);
	for (const start of between.slice(0, MOST_BETWEEN)) for (const reached of walk(start)) note(reached);
	return [...named, ...best.values()].sort((a, b) => b.score - a.score);
}

function createWalk(graph: Graph, fitOf: PropertyFit) {
	const steps = createSteps(graph);
	const worthOf = memoize((predicate: number) => LEAST_FIT + (1 - LEAST_FIT) * fitOf(predicate));
	return (start: ReachedNode): ReachedNode[] => {
		const taken = steps(start.node).filter((step) => !isWayBack(start, step));
		const fans = new Map<number, number>();
		for (const step of taken) fans.set(fanOf(step), (fans.get(fanOf(step)) ?? 0) + 1);
		return taken.map((step) => {
			const fan = fans.get(fanOf(step)) ?? 1;
			const score = (start.score * DECAY_PER_STEP * worthOf(step.predicate)) / (1 + Math.log10(fan));
			return { node: step.to, score, last: step, before: start };
		});
	};
}

/** Creates a function that reads a node's statements in both directions, without its classes, up to the total limit. */
function createSteps(graph: Graph): (node: number) => Step[] {
	const type = graph.numberOf({ termType: "NamedNode", value: RDF_TYPE });
	let left = MOST_STATEMENTS_IN_ALL;
	const stepsOf = (pattern: NumberPattern, isInverse: boolean): Step[] => {
		const quads = graph.walk(pattern).take(Math.min(MOST_STATEMENTS_OF_NODE, left)).toArray();
		left -= quads.length;
		return quads
			.filter(({ predicate }) => predicate !== type)
			.map(({ predicate, subject, object }) => ({ predicate, isInverse, to: isInverse ? subject : object }));
	};
	return (node) => [...stepsOf({ subject: node }, false), ...stepsOf({ object: node }, true)];
}

function isWayBack({ last, before }: ReachedNode, { to, predicate, isInverse }: Step): boolean {
	return to === before?.node && predicate === last?.predicate && isInverse !== last.isInverse;
}

function fanOf({ predicate, isInverse }: Step): number {
	return 2 * predicate + (isInverse ? 1 : 0);
}
