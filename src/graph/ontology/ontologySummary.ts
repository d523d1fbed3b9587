import { OWL, RDF, RDF_TYPE, RDFS, SH } from "../../base/rdf/vocabulary.ts";
import { compareTexts } from "../../base/text/compareTexts.ts";
import { wordList } from "../../base/words/wordList.ts";
import { idOf, isSubject, namedNode, type Subject } from "../../core/knowledge/rdf.ts";
import { type Graph, perVersion } from "../facts/graph.ts";
import { labelOf } from "../facts/labels.ts";

export interface OntologySummary {
	readonly resources: number;
	readonly quads: number;
	/** Most used first. The last class has an empty IRI and contains the resources without a class. */
	readonly classes: readonly ClassUse[];
	/** Number of statements of every property except `rdf:type`. */
	readonly properties: ReadonlyMap<string, number>;
	readonly shapes: readonly Shape[];
	/** Used and declared classes and properties. */
	readonly known: { readonly classes: ReadonlySet<string>; readonly properties: ReadonlySet<string> };
}

export interface ClassUse {
	readonly iri: string;
	readonly label?: string;
	readonly count: number;
	/** Id of a member, preferably an IRI. */
	readonly example: string;
	/** Most used first. */
	readonly properties: readonly PropertyUse[];
}

export interface PropertyUse {
	readonly iri: string;
	readonly resources: number;
	/** IRIs of datatypes and classes of the values, most used first. The IRI is empty for values without a class. */
	readonly ranges: readonly { readonly iri: string; readonly count: number }[];
	/** The alphabetically first literal. */
	readonly example?: string;
}

export const summaryOf = perVersion(summarizeOntology);

function summarizeOntology(graph: Graph): OntologySummary {
	const uses = collectUses(graph, findClasses(graph));
	const classes = [...uses]
		.map(([number, use]) => toClassUse(number, use, graph))
		.sort((a, b) => Number(a.iri === "") - Number(b.iri === "") || byCount(a, b));
	const properties = countProperties(graph);
	return {
		resources: new Set(graph.walk().map(({ subject }) => subject)).size,
		quads: graph.size,
		classes,
		properties,
		shapes: findShapes(graph),
		known: {
			classes: new Set([...classes.map(({ iri }) => iri).filter(Boolean), ...declared(graph, CLASS_KINDS)]),
			properties: new Set([RDF_TYPE, ...properties.keys(), ...declared(graph, PROPERTY_KINDS)]),
		},
	};
}

type ClassesOf = (subject: number) => readonly number[];

const NO_CLASS = 0;

interface Use {
	readonly members: Set<number>;
	readonly properties: Map<number, Values>;
}

interface Values {
	readonly subjects: Set<number>;
	readonly ranges: Map<string, number>;
	example?: string;
}

function findClasses(graph: Graph): ClassesOf {
	const type = graph.numberOf(namedNode(RDF_TYPE));
	const classes = new Map<number, number[]>();
	for (const { subject, predicate, object } of graph.walk()) {
		if (predicate !== type) continue;
		const known = classes.get(subject);
		if (!known) classes.set(subject, [object]);
		else if (!known.includes(object)) known.push(object);
	}
	return (subject) => classes.get(subject) ?? [NO_CLASS];
}

function collectUses(graph: Graph, classesOf: ClassesOf): Map<number, Use> {
	const type = graph.numberOf(namedNode(RDF_TYPE));
	const uses = new Map<number, Use>();
	for (const { subject, predicate, object } of graph.walk()) {
		for (const number of classesOf(subject)) {
			const use = getOrAdd(uses, number, () => ({ members: new Set(), properties: new Map() }));
			use.members.add(subject);
			if (predicate === type) continue;
			const values = getOrAdd(use.properties, predicate, () => ({ subjects: new Set(), ranges: new Map() }));
			values.subjects.add(subject);
			addValue(values, object, graph, classesOf);
		}
	}
	return uses;
}

function addValue(values: Values, object: number, graph: Graph, classesOf: ClassesOf): void {
	const term = graph.termAt(object);
	const ranges =
		term.termType === "Literal"
			? [term.datatype]
			: classesOf(object).map((number) => (number === NO_CLASS ? "" : graph.termAt(number).value));
	for (const range of ranges) values.ranges.set(range, (values.ranges.get(range) ?? 0) + 1);
	if (term.termType === "Literal" && term.value !== "" && !(values.example && values.example <= term.value))
		values.example = term.value;
}

function toClassUse(number: number, { members, properties }: Use, graph: Graph): ClassUse {
	const term = number === NO_CLASS ? undefined : graph.termAt(number);
	const label = term && term.termType !== "Literal" ? labelOf(graph, term) : undefined;
	const ids = [...members]
		.map((member) => graph.termAt(member))
		.filter((member) => member.termType !== "Literal");
	return {
		iri: term?.value ?? "",
		...(label !== undefined && { label }),
		count: members.size,
		example: ids.map(idOf).reduce((first, id) => (compareIds(id, first) < 0 ? id : first)),
		properties: [...properties]
			.map(([predicate, values]) => toPropertyUse(predicate, values, graph))
			.sort((a, b) => b.resources - a.resources || compareTexts(a.iri, b.iri)),
	};
}

/** Sorts IRIs before blank nodes, because IRIs say more. */
function compareIds(a: string, b: string): number {
	return Number(a.startsWith("_:")) - Number(b.startsWith("_:")) || compareTexts(a, b);
}

function toPropertyUse(predicate: number, values: Values, graph: Graph): PropertyUse {
	const { subjects, ranges, example } = values;
	return {
		iri: graph.termAt(predicate).value,
		resources: subjects.size,
		ranges: [...ranges].map(([iri, count]) => ({ iri, count })).sort(byCount),
		...(example !== undefined && { example }),
	};
}

function byCount(a: { iri: string; count: number }, b: { iri: string; count: number }): number {
	return b.count - a.count || compareTexts(a.iri, b.iri);
}

function countProperties(graph: Graph): Map<string, number> {
	const iris = graph.predicates().map((number) => graph.termAt(number).value);
	const counted = iris.filter((iri) => iri !== RDF_TYPE).sort(compareTexts);
	return new Map(counted.map((predicate) => [predicate, graph.count({ predicate })]));
}

const CLASS_KINDS = [`${RDFS}Class`, `${OWL}Class`];
const OWL_PROPERTIES = ["Object", "Datatype", "Annotation"].map((kind) => `${OWL}${kind}Property`);
const PROPERTY_KINDS = [`${RDF}Property`, ...OWL_PROPERTIES];

function declared(graph: Graph, kinds: readonly string[]): string[] {
	const stated = kinds.flatMap((iri) => [...graph.match({ predicate: RDF_TYPE, object: namedNode(iri) })]);
	return stated.map(({ subject }) => subject.value);
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
	const known = map.get(key);
	if (known !== undefined) return known;
	const value = create();
	map.set(key, value);
	return value;
}

/** A SHACL node shape: the workspace's constraints on its own resources. */
export interface Shape {
	readonly id: string;
	readonly targets: readonly string[];
	readonly properties: readonly PropertyShape[];
}

interface PropertyShape {
	/** IRI of a property. Paths of several steps are ignored. */
	readonly path: string;
	/** Names and values of the constraints, for example `minCount` and `1`. */
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

/** A shape that is also a class applies to that class. */
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
