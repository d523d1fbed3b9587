import { hash } from "node:crypto";
import type { BlankNode, Quad, Term } from "../../core/knowledge/rdf.ts";

/**
 * Gives blank nodes labels that follow from what is said of them, so that reading a file again, or the same statements
 * in another order, gives the same labels. The quads stay as many as they are, and in their order.
 *
 * Nodes get the hash of their own statements first, as in RDFC-1.0 (https://www.w3.org/TR/rdf-canon/, 4.6); those that
 * share one are told apart by their neighbours, and equal ones one by one, as in A. Hogan, "Canonical Forms for
 * Isomorphic and Equivalent RDF Graphs" (ACM TWEB 11, 2017), but without its search: graphs made to be poison end in
 * the order of the file instead of never.
 */
export function canonicalize(quads: readonly Quad[]): Quad[] {
	const graph = toBlankNodeGraph(quads);
	if (graph.labels.length === 0) return [...quads];
	const coloring = colorByStatements(graph);
	const budget: Budget = { left: 100_000 + 20 * quads.length };
	if (tiedColors(coloring).length > 0) refine(graph, coloring, graph.labels, budget);
	if (tiedColors(coloring).length > 0) colorByComponent(graph, coloring);
	breakTies(graph, coloring, budget);
	return relabel(quads, coloring);
}

/** Equal nodes get colors of their own one by one, in an order of classes that is the same for every file order. */
function breakTies(graph: BlankNodeGraph, coloring: Coloring, budget: Budget): void {
	const { classes } = coloring;
	for (let tied = tiedColors(coloring); tied.length > 0; tied = tiedColors(coloring)) {
		for (const color of tied) {
			for (let members = classes.get(color); members && members.size > 1; members = classes.get(color)) {
				const [first = ""] = members;
				individualize(coloring, first);
				refine(graph, coloring, [first], budget);
			}
		}
	}
}

function tiedColors({ classes }: Coloring): string[] {
	return [...classes]
		.filter(([, members]) => members.size > 1)
		.map(([color]) => color)
		.sort();
}

function relabel(quads: readonly Quad[], { colorOf }: Coloring): Quad[] {
	const nodes = new Map<string, BlankNode>();
	for (const [label, color] of colorOf) nodes.set(label, { termType: "BlankNode", value: `b${color}` });
	const rename = <T extends Term>(term: T): T | BlankNode =>
		term.termType === "BlankNode" ? (nodes.get(term.value) ?? term) : term;
	return quads.map((quad) => ({
		...quad,
		subject: rename(quad.subject),
		object: rename(quad.object),
		...(quad.graph && { graph: rename(quad.graph) }),
	}));
}

/** The blank nodes of some quads, and what each is connected to. */
interface BlankNodeGraph {
	/** Labels in the order of the quads. */
	readonly labels: readonly string[];
	/** For every label, the quads that it stands in. */
	readonly quadsOf: ReadonlyMap<string, readonly Quad[]>;
}

/** Blank nodes by color: nodes of one color cannot be told apart (yet). */
interface Coloring {
	readonly colorOf: Map<string, string>;
	readonly classes: Map<string, Set<string>>;
}

/** Visits of quads that may still be spent; refining stops when there are none. */
interface Budget {
	left: number;
}

function toBlankNodeGraph(quads: readonly Quad[]): BlankNodeGraph {
	const quadsOf = new Map<string, Quad[]>();
	for (const quad of quads) {
		for (const label of blankNodesOf(quad)) append(quadsOf, label, quad);
	}
	return { labels: [...quadsOf.keys()], quadsOf };
}

/** Colors every blank node by its own statements alone, all other blank nodes being equal. */
function colorByStatements({ labels, quadsOf }: BlankNodeGraph): Coloring {
	const coloring: Coloring = { colorOf: new Map(), classes: new Map() };
	for (const label of labels) {
		const statements = (quadsOf.get(label) ?? []).map((quad) => toStatement(quad, label, () => undefined));
		setColor(coloring, label, digest(statements.sort().join("\n")));
	}
	return coloring;
}

/**
 * Splits classes until nodes of one color have neighbours of the same colors.
 * Only the neighbours of nodes whose color changed are looked at again, so trees, lists and chains cost linear time.
 */
function refine(graph: BlankNodeGraph, coloring: Coloring, changed: Iterable<string>, budget: Budget): void {
	let frontier = [...changed];
	while (frontier.length > 0 && budget.left > 0) {
		const evidence = gatherEvidence(graph, coloring, frontier, budget);
		frontier = splitClasses(coloring, evidence);
	}
}

/** Tells nodes that look alike from near by all that they are connected to: two rings of three from a ring of six. */
function colorByComponent(graph: BlankNodeGraph, coloring: Coloring): void {
	const evidence = new Map<string, string[]>();
	for (const label of graph.labels) {
		if (evidence.has(label)) continue;
		const component = componentOf(graph, label);
		const colors = component.map((member) => coloring.colorOf.get(member) ?? "");
		const statement = digest(colors.sort().join("\n"));
		for (const member of component) evidence.set(member, [statement]);
	}
	splitClasses(coloring, evidence);
}

/** Gives one node a color of its own. */
function individualize(coloring: Coloring, label: string): void {
	const color = coloring.colorOf.get(label) ?? "";
	const size = coloring.classes.get(color)?.size ?? 0;
	setColor(coloring, label, digest(`${color} ${size}`));
}

/** 64 bits, hex. */
export function digest(text: string): string {
	return hash("sha256", text, "hex").slice(0, 16);
}

function componentOf({ quadsOf }: BlankNodeGraph, label: string): string[] {
	const members = new Set([label]);
	for (const member of members) {
		for (const quad of quadsOf.get(member) ?? []) {
			for (const neighbour of blankNodesOf(quad)) members.add(neighbour);
		}
	}
	return [...members];
}

/** For every neighbour that may change: the statements that tie it to the nodes that changed. */
function gatherEvidence(
	graph: BlankNodeGraph,
	{ colorOf, classes }: Coloring,
	changed: readonly string[],
	budget: Budget,
): Map<string, string[]> {
	const evidence = new Map<string, string[]>();
	for (const label of changed) {
		for (const [quad, other] of tiesOf(graph, label)) {
			budget.left--;
			if (isAlone(other, colorOf, classes)) continue;
			const statement = toStatement(quad, other, (name) => (name === label ? colorOf.get(name) : undefined));
			append(evidence, other, statement);
		}
	}
	return evidence;
}

/** Every quad that a node stands in, once for every other blank node in it. */
function tiesOf({ quadsOf }: BlankNodeGraph, label: string): [Quad, string][] {
	return (quadsOf.get(label) ?? []).flatMap((quad) =>
		[...blankNodesOf(quad)].filter((other) => other !== label).map((other): [Quad, string] => [quad, other]),
	);
}

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
	const list = lists.get(key);
	if (list) list.push(value);
	else lists.set(key, [value]);
}

function isAlone(
	label: string,
	colorOf: ReadonlyMap<string, string>,
	classes: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
	return classes.get(colorOf.get(label) ?? "")?.size === 1;
}

/** Nodes of one class by what their evidence says. */
type Groups = ReadonlyMap<string, readonly string[]>;

/** The nodes that got a new color: those that their evidence tells from most others of their class. */
function splitClasses(coloring: Coloring, evidence: ReadonlyMap<string, string[]>): string[] {
	const changed: string[] = [];
	for (const [old, groups] of groupByClass(coloring, evidence)) {
		const members = coloring.classes.get(old) ?? new Set();
		for (const [says, labels] of groupsToMove(groups, members, evidence)) {
			for (const label of labels) setColor(coloring, label, digest(`${old}\n${says}`));
			changed.push(...labels);
		}
	}
	return changed;
}

/**
 * The largest part of a class keeps its color, so that a node changes a few times only: knowing the other parts of a
 * class, its neighbours know that one. Nodes without evidence are a part as well.
 */
function groupsToMove(
	groups: Groups,
	members: ReadonlySet<string>,
	evidence: ReadonlyMap<string, unknown>,
): [string, readonly string[]][] {
	const parts = [...groups];
	const silent = members.size - parts.reduce((sum, [, labels]) => sum + labels.length, 0);
	const [largest = "", labels = []] = parts.toSorted(bySize)[0] ?? [];
	if (labels.length <= silent) return parts;
	const others = parts.filter(([says]) => says !== largest);
	if (silent === 0) return others;
	return [...others, ["", [...members].filter((label) => !evidence.has(label))]];
}

/** The largest first; among equals, the same one in whatever order they come. */
function bySize([a, as]: [string, readonly string[]], [b, bs]: [string, readonly string[]]): number {
	return bs.length - as.length || (a < b ? -1 : 1);
}

/** For every class that has evidence, its members by what their evidence says. */
function groupByClass({ colorOf }: Coloring, evidence: ReadonlyMap<string, string[]>): Map<string, Groups> {
	const classes = new Map<string, Map<string, string[]>>();
	for (const [label, statements] of evidence) {
		const old = colorOf.get(label) ?? "";
		const groups = classes.get(old) ?? new Map<string, string[]>();
		classes.set(old, groups);
		append(groups, statements.sort().join("\n"), label);
	}
	return classes;
}
function setColor({ colorOf, classes }: Coloring, label: string, color: string): void {
	const old = colorOf.get(label);
	if (old !== undefined) {
		const members = classes.get(old);
		members?.delete(label);
		if (members?.size === 0) classes.delete(old);
	}
	colorOf.set(label, color);
	const members = classes.get(color);
	if (members) members.add(label);
	else classes.set(color, new Set([label]));
}

function blankNodesOf({ subject, object, graph }: Quad): Set<string> {
	const labels = new Set<string>();
	if (subject.termType === "BlankNode") labels.add(subject.value);
	if (object.termType === "BlankNode") labels.add(object.value);
	if (graph?.termType === "BlankNode") labels.add(graph.value);
	return labels;
}

/** The quad as its node `self` sees it; other blank nodes are named where `nameOf` has a name for them. */
function toStatement(
	{ subject, predicate, object, graph }: Quad,
	self: string,
	nameOf: (label: string) => string | undefined,
): string {
	const write = (term: Term): string => {
		if (term.termType === "NamedNode") return `<${term.value}>`;
		if (term.termType === "BlankNode") return term.value === self ? "_:a" : (nameOf(term.value) ?? "_:z");
		return `"${term.value}"^^<${term.datatype}>@${term.language ?? ""}`;
	};
	return `${write(subject)} <${predicate.value}> ${write(object)} ${graph ? write(graph) : ""}`;
}
