import { RDF, XSD } from "../../../base/rdf/vocabulary.ts";
import type { Literal } from "../../../core/knowledge/rdf.ts";
import { literal } from "../../resources/terms.ts";
import { isAbsoluteIri } from "../iris.ts";

/** Language tags by the shape that BCP 47 gives them. */
const LANGUAGE = /^[a-z]{1,8}(-[a-z0-9]{1,8})*$/i;

/** The literal of an expanded value object; nothing where its language or its datatype is not valid. */
export function toLiteral(value: Readonly<Record<string, unknown>>): Literal | undefined {
	const content = value["@value"];
	const datatype = value["@type"];
	const language = value["@language"];
	if (datatype === "@json") return literal(canonicalJson(content), `${RDF}JSON`);
	if (typeof language === "string") return toLanguageString(content, language);
	if (datatype !== undefined && !(typeof datatype === "string" && isAbsoluteIri(datatype))) return undefined;
	if (typeof content === "number") return toNumber(content, datatype);
	if (typeof content === "boolean") return literal(`${content}`, datatype ?? `${XSD}boolean`);
	return literal(String(content), datatype);
}

function toLanguageString(content: unknown, language: string): Literal | undefined {
	if (!LANGUAGE.test(language)) return undefined;
	return { ...literal(String(content), `${RDF}langString`), language: language.toLowerCase() };
}

/** https://www.w3.org/TR/json-ld11-api/#data-round-tripping says how numbers are written. */
function toNumber(content: number, datatype = isWhole(content) ? `${XSD}integer` : `${XSD}double`): Literal {
	const isDouble = !isWhole(content) || datatype === `${XSD}double`;
	return literal(isDouble ? canonicalDouble(content) : content.toFixed(0), datatype);
}

function isWhole(content: number): boolean {
	return Number.isInteger(content) && Math.abs(content) < 1e21;
}

function canonicalDouble(content: number): string {
	return content.toExponential(15).replace(/(\d)0*e\+?/, "$1E");
}

/** JSON with its keys in order and without space, as RFC 8785 says. */
function canonicalJson(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
	return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(",")}}`;
}
