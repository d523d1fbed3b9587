import { splitWords } from "../../base/rdf/iriNames.ts";

/** `worksFor` gives `works for`, `HTTPStatus_code` gives `HTTP status code`. */
export function toWords(identifier: string): string {
	return splitWords(identifier).replace(/(^|\s)\p{Lu}\p{Ll}*(?!\S)/gu, (word) => word.toLowerCase());
}

/** `ScholarlyArticle` gives `Scholarly Article`. */
export function toTitle(identifier: string): string {
	return toWords(identifier).replace(/(^|\s)\p{Ll}/gu, (start) => start.toUpperCase());
}

/** One line with single spaces. */
export function squeeze(text: string): string {
	return (/\s\s|[^\S ]/.test(text) ? text.replace(/\s+/g, " ") : text).trim();
}

/** With an ellipsis if characters are missing. */
export function shorten(text: string, length: number): string {
	return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
}
