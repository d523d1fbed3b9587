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

/** A property as words: `worksFor` gives `works for`, `HTTPStatus_code` gives `HTTP status code`. */
export function toWords(identifier: string): string {
	return splitWords(identifier).replace(/(^|\s)\p{Lu}\p{Ll}*(?!\S)/gu, (word) => word.toLowerCase());
}

/** A class name as a title: `ScholarlyArticle` gives `Scholarly Article`. */
export function toTitle(identifier: string): string {
	return toWords(identifier).replace(/(^|\s)\p{Ll}/gu, (start) => start.toUpperCase());
}

/** Text on one line with single spaces. */
export function squeeze(text: string): string {
	return (/\s\s|[^\S ]/.test(text) ? text.replace(/\s+/g, " ") : text).trim();
}

/** Cuts to a number of characters, with an ellipsis if some are missing. */
export function shorten(text: string, length: number): string {
	return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
}

function splitWords(identifier: string): string {
	return squeeze(
		identifier
			.replace(/[_\-+]+/g, " ")
			.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
			.replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2"),
	);
}

function decode(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		// A stray percent sign is no reason to lose the name.
		return segment;
	}
}
