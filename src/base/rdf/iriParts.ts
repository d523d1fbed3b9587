/** An IRI up to and with its last `#`, `/` or `:`. */
export function namespaceOf(iri: string): string {
	return iri.slice(0, iri.length - localNameOf(iri).length);
}

/** What follows the last `#`, `/` or `:` of an IRI; may be empty. */
export function localNameOf(iri: string): string {
	return iri.slice(Math.max(iri.lastIndexOf("#"), iri.lastIndexOf("/"), iri.lastIndexOf(":")) + 1);
}
