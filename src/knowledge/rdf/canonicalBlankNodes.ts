import { hash } from "node:crypto";
import { pushTo } from "../../base/values.ts";
import { type BlankNode, type Quad, type Term, withTerms } from "../../core/knowledge/rdf.ts";

/**
 * Labels blank nodes by their statements, so that the order of the file does not matter. Keeps number and order of quads.
 * Hashes each node's statements as in RDFC-1.0 (https://www.w3.org/TR/rdf-canon/, 4.6), then refines by neighbours as
 * in A. Hogan, "Canonical Forms for Isomorphic and Equivalent RDF Graphs" (ACM TWEB 11, 2017), but without its search:
 * poison graphs keep the order of the file.
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

/** Equal nodes get their own colors one by one; the order of classes does not depend on the file. */
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
	return quads.map((quad) => withTerms(quad, rename));
}

interface BlankNodeGraph {
	/** In the order of the quads. */
	readonly labels: readonly string[];
	readonly quadsOf: ReadonlyMap<string, readonly Quad[]>;
}

/** Nodes of one color are not distinguished (yet). */
interface Coloring {
	readonly colorOf: Map<string, string>;
	readonly classes: Map<string, Set<string>>;
}

/** Visits of quads left; refining stops at 0. */
interface Budget {
	left: number;
}

function toBlankNodeGraph(quads: readonly Quad[]): BlankNodeGraph {
	const quadsOf = new Map<string, Quad[]>();
	for (const quad of quads) {
		for (const label of blankNodesOf(quad)) pushTo(quadsOf, label, quad);
	}
	return { labels: [...quadsOf.keys()], quadsOf };
}

/** Colors blank nodes by their own statements, treating all other blank nodes as equal. */
function colorByStatements({ labels, quadsOf }: BlankNodeGraph): Coloring {
	const coloring: Coloring = { colorOf: new Map(), classes: new Map() };
	for (const label of labels) {
		const statements = (quadsOf.get(label) ?? []).map((quad) => toStatement(quad, label, () => undefined));
		setColor(coloring, label, digest(statements.sort().join("\n")));
	}
	return coloring;
}

/** Splits classes until nodes of one color have neighbours of the same colors. Visits only neighbours of changed nodes: linear for trees, lists and chains. */
function refine(graph: BlankNodeGraph, coloring: Coloring, changed: Iterable<string>, budget: Budget): void {
	let frontier = [...changed];
	while (frontier.length > 0 && budget.left > 0) {
		const evidence = gatherEvidence(graph, coloring, frontier, budget);
		frontier = splitClasses(coloring, evidence);
	}
}

/** Distinguishes nodes by their whole component: two rings of three from one of six. */
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

/** For every neighbour that may change, its statements with changed nodes. */
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
			if (classes.get(colorOf.get(other) ?? "")?.size === 1) continue;
			const statement = toStatement(quad, other, (name) => (name === label ? colorOf.get(name) : undefined));
			pushTo(evidence, other, statement);
		}
	}
	return evidence;
}

/** Every quad of a node, once per other blank node in it. */
function tiesOf({ quadsOf }: BlankNodeGraph, label: string): [Quad, string][] {
	return (quadsOf.get(label) ?? []).flatMap((quad) =>
		[...blankNodesOf(quad)].filter((other) => other !== label).map((other): [Quad, string] => [quad, other]),
	);
}

/** Nodes of one class by their evidence. */
type Groups = ReadonlyMap<string, readonly string[]>;

/** Returns the nodes whose color changed: those without evidence keep theirs, and so do classes whose nodes all say the same. */
function splitClasses(coloring: Coloring, evidence: ReadonlyMap<string, string[]>): string[] {
	const changed: string[] = [];
	for (const [old, groups] of groupByClass(coloring, evidence)) {
		const size = coloring.classes.get(old)?.size;
		for (const [says, labels] of groups) {
			if (labels.length === size) continue;
			for (const label of labels) setColor(coloring, label, digest(`${old}\n${says}`));
			changed.push(...labels);
		}
	}
	return changed;
}

function groupByClass({ colorOf }: Coloring, evidence: ReadonlyMap<string, string[]>): Map<string, Groups> {
	const classes = new Map<string, Map<string, string[]>>();
	for (const [label, statements] of evidence) {
		const old = colorOf.get(label) ?? "";
		const groups = classes.get(old) ?? new Map<string, string[]>();
		classes.set(old, groups);
		pushTo(groups, statements.sort().join("\n"), label);
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

/** The quad as seen from `self`; other blank nodes are anonymous unless `nameOf` names them. */
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
