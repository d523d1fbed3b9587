import { localNameOf } from "../../base/rdf/iriNames.ts";
import { RDF_TYPE, RDFS } from "../../base/rdf/vocabulary.ts";
import type { Graph } from "./graph.ts";

export function kindOfNode(graph: Graph, node: number): "class" | "property" | "thing" {
	if (graph.has({ predicate: node })) return "property";
	const iri = (value: string) => graph.numberOf({ termType: "NamedNode", value });
	const [type, subClassOf] = [iri(RDF_TYPE), iri(`${RDFS}subClassOf`)];
	const isClass = [type, subClassOf].some((predicate) => predicate && graph.has({ predicate, object: node }));
	if (isClass) return "class";
	for (const { object } of type === 0 ? [] : graph.walk({ subject: node, predicate: type })) {
		const declared = localNameOf(graph.termAt(object).value);
		if (declared.endsWith("Property")) return "property";
		if (declared === "Class") return "class";
	}
	return "thing";
}
