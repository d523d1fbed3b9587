import { Failure } from "../../base/failure.ts";
import { XSD } from "../../base/rdf/vocabulary.ts";
import { IRI } from "../types/checkValue.ts";

/** A value as one term of SPARQL. */
export function writeTerm(value: unknown, isIri: boolean): string {
	if (typeof value === "string") return isIri ? writeIri(value) : writeText(value);
	if (typeof value === "boolean") return `"${value}"^^<${XSD}boolean>`;
	if (typeof value === "number" && Number.isFinite(value)) return `"${value}"^^<${XSD}${datatypeOf(value)}>`;
	throw new Failure("BAD_INPUT", "Only texts, numbers, and flags can be used in a query.");
}

function writeIri(value: string): string {
	if (IRI.test(value)) return `<${value}>`;
	throw new Failure("BAD_INPUT", `“${value.slice(0, 200)}” is not an IRI.`);
}

const ESCAPES: Readonly<Record<string, string>> = {
	"\\": "\\\\",
	'"': '\\"',
	"\n": "\\n",
	"\r": "\\r",
	"\t": "\\t",
};

function writeText(value: string): string {
	// Half of a character is none.
	return `"${value.toWellFormed().replace(/[\\"\n\r\t]/g, (mark) => ESCAPES[mark] ?? mark)}"`;
}

/** As Turtle reads the number. */
function datatypeOf(value: number): string {
	if (Number.isInteger(value) && Math.abs(value) < 1e21) return "integer";
	return String(value).includes("e") ? "double" : "decimal";
}
