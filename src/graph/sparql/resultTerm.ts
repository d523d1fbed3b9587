import { fieldOf, textOf } from "../../base/values.ts";
import { literal, namedNode, subjectOf, type Term } from "../../core/knowledge/rdf.ts";

/** Converts a term of SPARQL 1.1 Query Results JSON; `undefined` if invalid. */
export function readResultTerm(json: unknown): Term | undefined {
	const [type, value] = [fieldOf(json, "type"), fieldOf(json, "value")];
	// A triple of SPARQL 1.2.
	if (type === "triple") return literal(JSON.stringify(value));
	if (typeof value !== "string") return undefined;
	if (type === "uri") return namedNode(value);
	if (type === "bnode") return subjectOf(`_:${value}`);
	if (type !== "literal" && type !== "typed-literal") return undefined;
	return literal(value, textOf(json, "datatype"), textOf(json, "xml:lang"));
}
