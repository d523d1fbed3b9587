import { XSD } from "../../base/rdf/vocabulary.ts";
import { type Literal, literal } from "../../core/knowledge/rdf.ts";
import { shorten, squeeze } from "../passages/source.ts";

const MAX_VALUE = 2000;
/** Limited to as many digits as every store keeps. */
const INTEGER = /^-?(?:0|[1-9]\d{0,17})$/;
const DECIMAL = /^-?(?:0|[1-9]\d{0,11})\.\d{1,6}$/;
const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const TIME = /^T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)?$/;

/** Chooses the datatype by the form of the text. Numbers with leading zeros are strings. */
export function literalOf(text: string): Literal {
	return literal(shorten(text, MAX_VALUE), `${XSD}${text.length <= 40 ? typeOf(text) : "string"}`);
}

/** Keeps quoted values as strings, except dates. A quoted number looks like a number only by chance. */
export function literalOfQuoted(text: string): Literal {
	const value = literalOf(squeeze(text));
	return /date/.test(value.datatype) ? value : literal(value.value);
}

function typeOf(text: string): string {
	if (INTEGER.test(text)) return "integer";
	if (DECIMAL.test(text)) return "decimal";
	if (text === "true" || text === "false") return "boolean";
	if (!isDate(text.slice(0, 10))) return "string";
	if (text.length === 10) return "date";
	return TIME.test(text.slice(10)) ? "dateTime" : "string";
}

/** Whether the day exists: February has no 30th. */
export function isDate(text: string): boolean {
	return DATE.test(text) && new Date(text).toISOString().startsWith(text);
}
