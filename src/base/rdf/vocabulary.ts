export const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
export const RDFS = "http://www.w3.org/2000/01/rdf-schema#";
export const OWL = "http://www.w3.org/2002/07/owl#";
export const SKOS = "http://www.w3.org/2004/02/skos/core#";
export const SH = "http://www.w3.org/ns/shacl#";
export const XSD = "http://www.w3.org/2001/XMLSchema#";
export const RDF_TYPE = `${RDF}type`;

/** The spelling that we write; data uses both `https:` and `http:`. */
export const SCHEMA = "https://schema.org/";
export const SCHEMAS = [SCHEMA, "http://schema.org/"] as const;

/** Property for the number of members of a class, for large files that are only partly in the graph. */
export const VOID_ENTITIES = "http://rdfs.org/ns/void#entities";

/** Namespace of classes of rows, items and objects, named after the key that contains them. */
export const KINDS = "urn:copilot-ld:kind:";
export const FOLDERS = "urn:copilot-ld:folder:";
/** Namespace of properties named after keys. */
export const KEYS = "urn:copilot-ld:key:";

/** The last segment of an IRI or a path, decoded: `https://schema.org/worksFor` gives `worksFor`. */
export function lastSegment(iri: string): string {
	let end = iri.length;
	while (end > 0 && "/#?".includes(iri.charAt(end - 1))) end--;
	const start = Math.max(...["/", "#", ":"].map((mark) => iri.lastIndexOf(mark, end - 1))) + 1;
	return decodedPart(iri.slice(start, end)) || iri;
}

/** Readable name for an IRI without a label: `…/drug/oncora-xr` gives `oncora xr`. */
export function readableName(iri: string): string {
	return splitWords(lastSegment(iri)) || iri;
}

export function splitWords(identifier: string): string {
	return identifier
		.replace(/[_\-+]+/g, " ")
		.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
		.replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
		.replace(/\s+/g, " ")
		.trim();
}

/** Decodes a part of a URI. A part with a stray percent sign stays unchanged. */
export function decodedPart(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

/** An IRI up to and including its last `#`, `/` or `:`. */
export function namespaceOf(iri: string): string {
	return iri.slice(0, iri.length - localNameOf(iri).length);
}

/** The part of an IRI after its last `#`, `/` or `:`; may be empty. */
export function localNameOf(iri: string): string {
	return iri.slice(Math.max(iri.lastIndexOf("#"), iri.lastIndexOf("/"), iri.lastIndexOf(":")) + 1);
}

/** Recognizes Turtle in an ontology file with an extension of RDF/XML. */
export const BEGIN_OF_TURTLE = /^\s*(#.*\s+)*@?(prefix|base)\s/i;
