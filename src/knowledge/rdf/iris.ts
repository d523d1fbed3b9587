/** Absolute IRI without characters that N-Triples and SPARQL forbid. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: N-Triples and SPARQL forbid control characters in an IRI.
const ABSOLUTE_IRI = /^[a-z][a-z0-9+.-]*:[^\u0000-\u0020<>"{}|\\^`#]*(#[^\u0000-\u0020<>"{}|\\^`#]*)?$/i;

export function isAbsoluteIri(value: string): boolean {
	return ABSOLUTE_IRI.test(value);
}
