import { isRecord } from "../../base/values.ts";
import { literal, namedNode, subjectOf, type Term } from "../../core/knowledge/rdf.ts";

/** A field of JSON, whatever it is. */
export function property(value: unknown, name: string): unknown {
	return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A term of SPARQL 1.1 Query Results JSON; `undefined` if it is invalid. */
export function readResultTerm(json: unknown): Term | undefined {
	const [type, value, datatype, language] = ["type", "value", "datatype", "xml:lang"].map((name) =>
		property(json, name),
	);
	if (type === "triple") return literal(describeTriple(value));
	if (typeof value !== "string") return undefined;
	if (type === "uri") return namedNode(value);
	if (type === "bnode") return subjectOf(`_:${value}`);
	if (type !== "literal" && type !== "typed-literal") return undefined;
	const isTyped = typeof datatype === "string";
	return literal(value, isTyped ? datatype : undefined, typeof language === "string" ? language : "");
}

/** A triple of SPARQL 1.2 becomes a text; a triple in it is only hinted at. */
function describeTriple(triple: unknown): string {
	const parts = ["subject", "predicate", "object"].map((name) => property(property(triple, name), "value"));
	return `<< ${parts.map((part) => (typeof part === "string" ? part : "…")).join(" ")} >>`;
}
