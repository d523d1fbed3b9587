import { DataFactory, Store, type Term as StoreTerm } from "n3";
import Validator from "rdf-validate-shacl";
import { SH } from "../../base/rdf/vocabulary.ts";
import { fromRdfjs, type Term } from "../../core/knowledge/rdf.ts";

/** Statements to check against shapes. Each statement is three indexes into `terms`: subject, predicate, object. */
export interface ShapesTask {
	readonly terms: readonly Term[];
	readonly data: Uint32Array;
	readonly shapes: Uint32Array;
}

export interface ShapeResult {
	/** The checked node, which may be a literal. */
	readonly focus: Term;
	/** IRI of the property; absent if the result is about the whole resource or a path of several steps. */
	readonly property?: string;
	readonly value?: Term;
	readonly severity: "error" | "warning" | "info";
	readonly message: string;
}

const MOST_RESULTS = 1000;
const BEYOND_CORE = ["sparql", "js"].map((name) => `${SH}${name}`);

/** Reports constraints beyond SHACL Core as unchecked. Must run in its own process: a hostile pattern may never end. */
export async function validateShapes({ terms, data, shapes }: ShapesTask): Promise<ShapeResult[]> {
	const nodes = terms.map(toNode);
	const wanted = storeOf(shapes, nodes);
	const leftOut = BEYOND_CORE.flatMap((constraint) => leaveOut(wanted, constraint));
	// Ignore imports: shapes are never fetched from the network.
	const validator = new Validator(wanted, { maxErrors: MOST_RESULTS, importGraph: () => new Store() });
	const { results } = await validator.validate(storeOf(data, nodes));
	const { validationError } = validator.validationEngine;
	if (validationError) throw validationError;
	const broken = results.slice(0, MOST_RESULTS).flatMap((result): ShapeResult | readonly ShapeResult[] => {
		const [focus, value] = [fromRdfjs(result.focusNode), fromRdfjs(result.value)];
		if (!focus) return [];
		const { path } = result;
		return {
			focus,
			...(path?.termType === "NamedNode" && { property: path.value }),
			...(value && { value }),
			severity: SEVERITIES[result.severity?.value.slice(SH.length) ?? ""] ?? "warning",
			message: result.message[0]?.value ?? violation(wanted, result),
		};
	});
	return [...leftOut, ...broken];
}

const SEVERITIES: Readonly<Record<string, ShapeResult["severity"]>> = { Violation: "error", Info: "info" };

function leaveOut(shapes: Store, constraint: string): ShapeResult[] {
	const stated = shapes.getQuads(null, constraint, null, null);
	shapes.removeQuads(stated);
	return stated.flatMap(({ subject, object }) => {
		const [focus, value] = [fromRdfjs(subject), fromRdfjs(object)];
		if (!focus) return [];
		const message = `sh:${constraint.slice(SH.length)} is not checked, because only SHACL Core is supported`;
		return [{ focus, property: constraint, ...(value && { value }), severity: "warning" as const, message }];
	});
}

function violation(wanted: Store, { sourceConstraintComponent: component, sourceShape }: ValidationResult) {
	const name = component.value.slice(SH.length).replace(/ConstraintComponent$/, "");
	const constraint = name.charAt(0).toLowerCase() + name.slice(1);
	const [value] = wanted.getObjects(sourceShape as StoreTerm, `${SH}${constraint}`, null);
	return `It violates sh:${constraint}${value ? ` ${value.value}` : ""}`;
}

type ValidationResult = Awaited<ReturnType<Validator["validate"]>>["results"][number];

function storeOf(statements: Uint32Array, nodes: readonly StoreTerm[]): Store {
	const store = new Store();
	for (let at = 0; at < statements.length; at += 3) {
		const [subject, predicate, object] = [0, 1, 2].map((part) => nodes[statements[at + part] ?? 0]);
		store.addQuad(DataFactory.quad(subject as never, predicate as never, object as never));
	}
	return store;
}

function toNode(term: Term): StoreTerm {
	if (term.termType === "NamedNode") return DataFactory.namedNode(term.value);
	if (term.termType === "BlankNode") return DataFactory.blankNode(term.value);
	return DataFactory.literal(term.value, term.language ?? DataFactory.namedNode(term.datatype));
}
