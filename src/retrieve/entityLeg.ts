import type { TextEmbedder } from "../core/knowledge/embedder.ts";
import type { Graph } from "../graph/facts/graph.ts";
import { nameWords } from "../graph/facts/labels.ts";
import { createNameIndex, type NameIndex } from "../graph/facts/nameIndex.ts";
import type { MatchOptions, PassageReads, PassageSubject } from "../store/port/store.ts";
import { linkEntities } from "./entities/linkEntities.ts";
import { createPropertyNames, fitIn, type PropertyNames } from "./entities/propertyFit.ts";
import { type GraphPath, pathTo, type ReachedNode, reachNodes } from "./entities/reachNodes.ts";
import type { EntityLeg } from "./legs.ts";
import { canTellOf } from "./listing/canTell.ts";
import { listThings } from "./listing/listThings.ts";

export interface EntityPorts {
	readonly graph: Graph;
	readonly store: Pick<PassageReads, "rowsAbout">;
	/** Model that compares properties with the question by meaning; if absent, they are compared by words. */
	readonly words: TextEmbedder | undefined;
}

const MOST_SUBJECTS = 50;

export function createEntityLeg({ graph, store, words }: EntityPorts): EntityLeg {
	const names = createNameIndex(graph);
	const properties = createPropertyNames();
	const lookAround = createLookAround(graph, names, properties);
	return {
		refresh: names.refresh,
		reach,
		find,
		list: async (query, cite) => {
			await names.refresh();
			return listThings(query, { graph, names, cite });
		},
		canTell: (query) => canTellOf(query, { graph, names }),
	};

	async function reach<Result>(query: string, use: (reached: readonly ReachedNode[]) => Result) {
		const vector = await words?.embed([query]);
		await names.refresh();
		const around = lookAround(query, vector);
		if (!words) return use(around);
		const strange = properties.unknownOf(propertiesOf(graph, around));
		if (strange.length === 0) return use(around);
		await properties.learn(strange, words);
		await names.refresh();
		return use(lookAround(query, vector));
	}

	async function find(query: string, options: MatchOptions) {
		const { told, named } = await reach(query, (reached) => ({
			told: tell(graph, reached),
			named: namedIn(graph, reached),
		}));
		const rows = await store.rowsAbout(
			told.map(({ subject }) => subject),
			options,
		);
		const best = [...rows].sort(([, a], [, b]) => a - b);
		return {
			matches: best.map(([row, place]) => ({ row, score: told[place]?.score ?? 0 })),
			via: new Map(best.flatMap(([row, place]) => (told[place] ? [[row, told[place].path] as const] : []))),
			named,
		};
	}
}

function createLookAround(graph: Graph, names: NameIndex, properties: PropertyNames) {
	return (query: string, vector: Float32Array | undefined): ReachedNode[] => {
		const words = nameWords(query);
		const fitOf = fitIn({ words, vector }, properties);
		return reachNodes(graph, linkEntities(words, names), (predicate) => fitOf(graph.termAt(predicate).value));
	};
}

function propertiesOf(graph: Graph, reached: readonly ReachedNode[]): string[] {
	const used = new Set(reached.flatMap(({ last }) => last?.predicate ?? []));
	return [...used].map((predicate) => graph.termAt(predicate).value);
}

function namedIn(graph: Graph, reached: readonly ReachedNode[]): string[][] {
	const links = reached.flatMap(({ link }) => (link?.isWhole ? [link] : []));
	return [...Map.groupBy(links, ({ span }) => span.join()).values()].map((alternatives) =>
		alternatives.flatMap(({ node }) => {
			const term = graph.termAt(node);
			return term.termType === "NamedNode" ? [term.value] : [];
		}),
	);
}

interface Told {
	readonly subject: PassageSubject;
	readonly score: number;
	readonly path: GraphPath;
}

function tell(graph: Graph, reached: readonly ReachedNode[]): Told[] {
	const first = new Map(reached.toReversed().map((entry) => [entry.node, entry]));
	const told: Told[] = [];
	for (const entry of reached) {
		if (first.get(entry.node) !== entry) continue;
		const subject = passageSubjectOf(graph, entry.node);
		if (subject) told.push({ subject, score: entry.score, path: pathTo(graph, entry) });
		if (told.length >= MOST_SUBJECTS) break;
	}
	return told;
}

function passageSubjectOf(graph: Graph, node: number): PassageSubject | undefined {
	const term = graph.termAt(node);
	if (term.termType === "Literal") return undefined;
	if (term.termType === "NamedNode") return { resource: term.value };
	const [quad] = graph.match({ subject: term });
	// Removes the identifier of the document, which the graph appends to labels of blank nodes.
	return quad && { resource: `_:${term.value.slice(0, term.value.lastIndexOf("."))}`, uri: quad.document };
}
