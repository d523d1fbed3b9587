/** The last segment of an IRI or a path, decoded: `https://schema.org/worksFor` gives `worksFor`. */
export function lastSegment(iri: string): string {
	let end = iri.length;
	while (end > 0 && "/#?".includes(iri.charAt(end - 1))) end--;
	const start = Math.max(...["/", "#", ":"].map((mark) => iri.lastIndexOf(mark, end - 1))) + 1;
	return decode(iri.slice(start, end)) || iri;
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

function decode(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		// A stray percent sign is no reason to lose the name.
		return segment;
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
