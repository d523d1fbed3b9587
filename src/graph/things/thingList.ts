import { localNameOf } from "../../base/iriParts.ts";
import { RDF_TYPE, RDFS } from "../../base/vocabulary.ts";
import type { FoundThing, ThingKind } from "../../core/knowledge/things.ts";
import type { Graph } from "../facts/graph.ts";
import { isNaming, nameOf } from "../facts/labels.ts";
import { nameWords } from "../facts/nameWords.ts";
import { compareTexts } from "../facts/sources.ts";
import { foundThing } from "./thingView.ts";

/** Everything that has an IRI, to be found by the beginnings of its words. */
export interface ThingList {
	find(query: ListQuery): FoundThing[];
	kindOf(iri: string): ThingKind;
}

interface ListQuery {
	/** Beginnings of words. */
	readonly words: string;
	readonly kinds: readonly ThingKind[];
	/** What the IRIs begin with. */
	readonly within: string;
	readonly limit: number;
}

interface Entry {
	readonly iri: string;
	readonly label: string;
	/** Of its label and of its IRI, each after a space. */
	readonly words: string;
	readonly kind: ThingKind;
}

/** Made again only after the graph has changed. */
export function rememberThingList(graph: Graph): () => ThingList {
	let last: { readonly version: number; readonly list: ThingList } | undefined;
	return () => {
		if (last?.version !== graph.version) last = { version: graph.version, list: createThingList(graph) };
		return last.list;
	};
}

function createThingList(graph: Graph): ThingList {
	const entries = readEntries(graph);
	const kinds = new Map(entries.map(({ iri, kind }) => [iri, kind]));
	const kindOf = (iri: string) => kinds.get(iri) ?? "thing";
	return {
		kindOf,
		find: ({ words: text, kinds: wanted, within, limit }) => {
			const words = nameWords(text);
			const fits = ({ iri, kind, words: own }: Entry) =>
				wanted.includes(kind) && iri.startsWith(within) && words.every((word) => own.includes(` ${word}`));
			return entries
				.filter(fits)
				.map((entry) => ({ entry, rank: rankOf(entry, words) }))
				.sort((a, b) => a.rank - b.rank || compareTexts(a.entry.label, b.entry.label))
				.slice(0, limit)
				.map(({ entry }) => foundThing(graph, { termType: "NamedNode", value: entry.iri }, kindOf));
		},
	};
}

/** A name that is the words goes first, then one that begins so; the shortest of them first. */
function rankOf({ words: own, label }: Entry, words: readonly string[]): number {
	const asked = ` ${words.join(" ")}`;
	if (own.startsWith(`${asked} `)) return label.length;
	return label.length + (own.startsWith(asked) ? 1000 : 2000);
}

function readEntries(graph: Graph): Entry[] {
	const { things, labels, kinds } = readNodes(graph);
	const entries: Entry[] = [];
	for (const node of things) {
		const term = graph.termAt(node);
		if (term.termType !== "NamedNode") continue;
		const local = localNameOf(term.value.replace(/[/#]+$/, ""));
		const label = labels.has(node) ? nameOf(graph, term) : local || term.value;
		const words = ["", ...nameWords(label), ...nameWords(apart(local))].join(" ");
		entries.push({ iri: term.value, label, words: `${words} `, kind: kinds.get(node) ?? "thing" });
	}
	return entries;
}

/** `worksFor` is found by `for` as well. */
function apart(local: string): string {
	return `${local} ${local.replace(/([a-z])([A-Z])/g, "$1 $2")}`;
}

/** What is described, and every class and property in use. */
function readNodes(graph: Graph) {
	const iri = (value: string) => graph.numberOf({ termType: "NamedNode", value });
	const type = iri(RDF_TYPE);
	const subClassOf = iri(`${RDFS}subClassOf`);
	const naming = new Map<number, boolean>();
	const kinds = new Map<number, ThingKind>();
	const things = new Set<number>();
	const labels = new Set<number>();
	for (const { subject, predicate, object } of graph.walk()) {
		things.add(subject);
		kinds.set(predicate, "property");
		const isName = naming.get(predicate) ?? isNaming(graph.termAt(predicate).value);
		naming.set(predicate, isName);
		if (isName) labels.add(subject);
		if (predicate === type) readType(graph, { subject, object }, kinds);
		else if (predicate === subClassOf) kinds.set(object, "class");
	}
	for (const node of kinds.keys()) things.add(node);
	return { things, labels, kinds };
}

/** A thing of which a class or a property is made by saying so. */
function readType(
	graph: Graph,
	{ subject, object }: { readonly subject: number; readonly object: number },
	kinds: Map<number, ThingKind>,
): void {
	kinds.set(object, "class");
	const declared = localNameOf(graph.termAt(object).value);
	if (declared === "Class") kinds.set(subject, "class");
	else if (declared.endsWith("Property")) kinds.set(subject, "property");
}
