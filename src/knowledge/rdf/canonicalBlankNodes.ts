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
	const quadsOf = new Map<string, Quad[]>();
	for (const quad of quads) for (const label of blankNodesOf(quad)) pushTo(quadsOf, label, quad);
	if (quadsOf.size === 0) return [...quads];
	const colors = new Coloring(quadsOf, 100_000 + 20 * quads.length).distinguished();
	const rename = <T extends Term>(term: T): T | BlankNode =>
		term.termType === "BlankNode" ? { ...term, value: `b${colors.get(term.value)}` } : term;
	return quads.map((quad) => withTerms(quad, rename));
}

/** 64 bits, hex. */
export function digest(text: string): string {
	return hash("sha256", text, "hex").slice(0, 16);
}

/** Colors of blank nodes by label; nodes of one color are not distinguished (yet). */
class Coloring {
	/** In the order of the quads. */
	readonly #quadsOf: ReadonlyMap<string, readonly Quad[]>;
	readonly #colorOf = new Map<string, string>();
	readonly #classes = new Map<string, Set<string>>();
	/** Visits of quads left; refining stops at 0. */
	#budget: number;

	/** Colors nodes by their own statements, treating all other blank nodes as equal. */
	constructor(quadsOf: ReadonlyMap<string, readonly Quad[]>, budget: number) {
		this.#quadsOf = quadsOf;
		this.#budget = budget;
		for (const [label, quads] of quadsOf) {
			const statements = quads.map((quad) => toStatement(quad, label, () => undefined));
			this.#setColor(label, digest(statements.sort().join("\n")));
		}
	}

	/** Gives every node a color of its own. */
	distinguished(): ReadonlyMap<string, string> {
		if (this.#tied().length > 0) this.#refine([...this.#quadsOf.keys()]);
		if (this.#tied().length > 0) this.#colorByComponent();
		for (let tied = this.#tied(); tied.length > 0; tied = this.#tied())
			for (const color of tied) this.#breakTies(color);
		return this.#colorOf;
	}

	#tied(): string[] {
		const tied = [...this.#classes].filter(([, members]) => members.size > 1);
		return tied.map(([color]) => color).sort();
	}

	/** Equal nodes get their own colors one by one; the order of classes does not depend on the file. */
	#breakTies(color: string): void {
		const members = this.#classes.get(color);
		while (members && members.size > 1) {
			const [first = ""] = members;
			this.#setColor(first, digest(`${color} ${members.size}`));
			this.#refine([first]);
		}
	}

	/** Splits classes until nodes of one color have neighbours of the same colors. Visits only neighbours of changed nodes: linear for trees, lists and chains. */
	#refine(changed: readonly string[]): void {
		for (let frontier = changed; frontier.length > 0 && this.#budget > 0; )
			frontier = this.#split(this.#evidenceOf(frontier));
	}

	/** For every neighbour that may change, its statements with changed nodes. */
	#evidenceOf(changed: readonly string[]): Map<string, string[]> {
		const evidence = new Map<string, string[]>();
		for (const label of changed)
			for (const [quad, other] of this.#tiesOf(label)) {
				this.#budget--;
				if (this.#classOf(other)?.size === 1) continue;
				const nameOf = (name: string) => (name === label ? this.#colorOf.get(name) : undefined);
				pushTo(evidence, other, toStatement(quad, other, nameOf));
			}
		return evidence;
	}

	/** Every quad of a node, once per other blank node in it. */
	#tiesOf(label: string): [Quad, string][] {
		return (this.#quadsOf.get(label) ?? []).flatMap((quad) =>
			[...blankNodesOf(quad)]
				.filter((other) => other !== label)
				.map((other): [Quad, string] => [quad, other]),
		);
	}

	/** Distinguishes nodes by their whole component: two rings of three from one of six. */
	#colorByComponent(): void {
		const evidence = new Map<string, string[]>();
		for (const label of this.#quadsOf.keys()) {
			if (evidence.has(label)) continue;
			const component = new Set([label]);
			for (const member of component) for (const [, other] of this.#tiesOf(member)) component.add(other);
			const colors = Array.from(component, (member) => this.#colorOf.get(member) ?? "");
			const statement = digest(colors.sort().join("\n"));
			for (const member of component) evidence.set(member, [statement]);
		}
		this.#split(evidence);
	}

	/** Returns the nodes whose color changed: those without evidence keep theirs, and so do classes whose nodes all say the same. */
	#split(evidence: ReadonlyMap<string, string[]>): string[] {
		const groups = new Map<string, string[]>();
		for (const [label, statements] of evidence)
			pushTo(groups, `${this.#colorOf.get(label)}\n${statements.sort().join("\n")}`, label);
		const parts = [...groups].filter(([, labels]) => labels.length !== this.#classOf(labels[0] ?? "")?.size);
		for (const [says, labels] of parts) for (const label of labels) this.#setColor(label, digest(says));
		return parts.flatMap(([, labels]) => labels);
	}

	#classOf(label: string): ReadonlySet<string> | undefined {
		return this.#classes.get(this.#colorOf.get(label) ?? "");
	}

	#setColor(label: string, color: string): void {
		const old = this.#colorOf.get(label) ?? "";
		const members = this.#classes.get(old);
		members?.delete(label);
		if (members?.size === 0) this.#classes.delete(old);
		this.#colorOf.set(label, color);
		this.#classes.set(color, (this.#classes.get(color) ?? new Set()).add(label));
	}
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
