import { RDF, SH } from "../../base/rdf/vocabulary.ts";
import { compareTexts } from "../../base/text/compareTexts.ts";
import { wordList } from "../../base/words/wordList.ts";
import { idOf, isSubject, type Subject } from "../../core/knowledge/rdf.ts";
import type { Graph } from "../facts/graph.ts";

/** A SHACL node shape: what the workspace says its resources should be like. */
export interface Shape {
	readonly id: string;
	/** IRIs of the classes that it is for. */
	readonly targets: readonly string[];
	readonly properties: readonly PropertyShape[];
}

interface PropertyShape {
	/** IRI; paths of several steps are ignored. */
	readonly path: string;
	/** Names and values of its plain constraints, for example `minCount` and `1`. */
	readonly constraints: readonly (readonly [name: string, value: string])[];
}

const CONSTRAINTS = wordList("minCount maxCount datatype class nodeKind pattern minInclusive maxInclusive");

export function pathsOf(shapes: readonly Shape[]): string[] {
	return shapes.flatMap(({ properties }) => properties.map(({ path }) => path));
}

export function findShapes(graph: Graph): Shape[] {
	const shapes = new Map<string, Subject>();
	for (const predicate of [`${SH}targetClass`, `${SH}property`])
		for (const { subject } of graph.match({ predicate })) shapes.set(idOf(subject), subject);
	const sorted = [...shapes].sort(([a], [b]) => compareTexts(a, b));
	const propertiesOf = (subject: Subject) =>
		subjectsIn(graph, subject, `${SH}property`).flatMap((property) => readProperty(graph, property));
	return sorted.map(([id, subject]) => {
		return { id, targets: targetsOf(graph, subject), properties: propertiesOf(subject) };
	});
}

/** A shape that is itself a class is for that class. */
function targetsOf(graph: Graph, shape: Subject): string[] {
	const targets = valuesOf(graph, shape, `${SH}targetClass`);
	const isClass = valuesOf(graph, shape, `${RDF}type`).some((type) => type.endsWith("#Class"));
	return [...new Set([...targets, ...(isClass ? [idOf(shape)] : [])])].sort(compareTexts);
}

function readProperty(graph: Graph, property: Subject): PropertyShape[] {
	const path = subjectsIn(graph, property, `${SH}path`).find(({ termType }) => termType === "NamedNode");
	if (!path) return [];
	const toPairs = (name: string) =>
		valuesOf(graph, property, SH + name).map((value) => [name, value] as const);
	return [{ path: path.value, constraints: CONSTRAINTS.flatMap(toPairs) }];
}

function subjectsIn(graph: Graph, subject: Subject, predicate: string): Subject[] {
	return [...graph.match({ subject, predicate })].map(({ object }) => object).filter(isSubject);
}

function valuesOf(graph: Graph, subject: Subject, predicate: string): string[] {
	return [...new Set([...graph.match({ subject, predicate })].map(({ object }) => object.value))];
}
