export const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
export const RDFS = "http://www.w3.org/2000/01/rdf-schema#";
export const OWL = "http://www.w3.org/2002/07/owl#";
export const SKOS = "http://www.w3.org/2004/02/skos/core#";
export const SH = "http://www.w3.org/ns/shacl#";
export const XSD = "http://www.w3.org/2001/XMLSchema#";
export const RDF_TYPE = `${RDF}type`;

/** As we write it; it is written both ways, and neither is wrong. */
export const SCHEMA = "https://schema.org/";
export const SCHEMAS = [SCHEMA, "http://schema.org/"] as const;

/** How many there are of a class, of which a large file has more than the graph. */
export const VOID_ENTITIES = "http://rdfs.org/ns/void#entities";

/** Classes of rows, items and objects by the key that contains them; folders of documents; and properties by key. */
export const KINDS = "urn:copilot-ld:kind:";
export const FOLDERS = "urn:copilot-ld:folder:";
export const KEYS = "urn:copilot-ld:key:";

/** The last segment of an IRI or a path, decoded: `https://schema.org/worksFor` gives `worksFor`. */
export function lastSegment(iri: string): string {
	let end = iri.length;
	while (end > 0 && "/#?".includes(iri.charAt(end - 1))) end--;
	const start = Math.max(...["/", "#", ":"].map((mark) => iri.lastIndexOf(mark, end - 1))) + 1;
	return decodedPart(iri.slice(start, end)) || iri;
}

/** A name for an IRI that has no label: `…/drug/oncora-xr` gives `oncora xr`. */
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

/** A part of a URI without escapes; itself if it has a stray percent sign. */
export function decodedPart(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

/** An IRI up to and with its last `#`, `/` or `:`. */
export function namespaceOf(iri: string): string {
	return iri.slice(0, iri.length - localNameOf(iri).length);
}

/** What follows the last `#`, `/` or `:` of an IRI; may be empty. */
export function localNameOf(iri: string): string {
	return iri.slice(Math.max(iri.lastIndexOf("#"), iri.lastIndexOf("/"), iri.lastIndexOf(":")) + 1);
}

/** Ontologies in Turtle often have the endings of RDF/XML. */
export const BEGIN_OF_TURTLE = /^\s*(#.*\s+)*@?(prefix|base)\s/i;
