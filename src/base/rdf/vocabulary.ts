/** IRIs that the graph gives a meaning, and the short names of namespaces. */
export const RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
export const RDFS = "http://www.w3.org/2000/01/rdf-schema#";
export const OWL = "http://www.w3.org/2002/07/owl#";
export const SKOS = "http://www.w3.org/2004/02/skos/core#";
export const SH = "http://www.w3.org/ns/shacl#";
export const XSD = "http://www.w3.org/2001/XMLSchema#";
export const RDF_TYPE = `${RDF}type`;

/** As we write it. */
export const SCHEMA = "https://schema.org/";

/** schema.org is written both ways; neither is wrong. */
export const SCHEMAS = [SCHEMA, "http://schema.org/"] as const;

/** How many there are of a class, of which a large file has more than the graph. */
export const VOID_ENTITIES = "http://rdfs.org/ns/void#entities";

/** Classes of rows, items and objects, by what they stand under; of documents, by their folder; and what their keys state. */
export const KINDS = "urn:copilot-ld:kind:";
export const FOLDERS = "urn:copilot-ld:folder:";
export const KEYS = "urn:copilot-ld:key:";
