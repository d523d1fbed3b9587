import { isRecord } from "../../base/values.ts";
import { readAssetRef } from "../../core/agent/assetRef.ts";
import type { Field, NamedTypes, ValueType } from "../../core/plugin/valueType.ts";

/** SPARQL's own rule of what an IRI may hold, with a scheme before it. */
export const IRI = /^[A-Za-z][A-Za-z0-9+.-]*:[^<>"{}|^`\\\s\p{Cc}]*$/u;

/** What is wrong with the first invalid value, for a model; `undefined` if all are valid. */
export function checkInput(input: unknown, fields: readonly Field[], types: NamedTypes): string | undefined {
	return checkObject(input, fields, { types, path: "" });
}

/** The same input, with numbers for texts that a model wrote in place of them: `"2"` for 2. */
export function withNumbers(
	input: Readonly<Record<string, unknown>>,
	fields: readonly Field[],
): Readonly<Record<string, unknown>> {
	const isNumber = (name: string) =>
		fields.some((field) => field.name === name && NUMBERS.has(field.type.kind));
	const read = ([name, value]: [string, unknown]): [string, unknown] =>
		typeof value === "string" && isNumber(name) && NUMBER.test(value) ? [name, Number(value)] : [name, value];
	return Object.fromEntries(Object.entries(input).map(read));
}

const NUMBERS: ReadonlySet<ValueType["kind"]> = new Set(["int", "float"]);
const NUMBER = /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?$/;

interface At {
	readonly types: NamedTypes;
	/** As in JavaScript; empty at the top. */
	readonly path: string;
}

function checkObject(value: unknown, fields: readonly Field[], at: At): string | undefined {
	if (!isRecord(value)) return wrong(at, "an object");
	const names = fields.map(({ name }) => name);
	const unknown = Object.keys(value).find((name) => !names.includes(name));
	if (unknown !== undefined)
		return `${at.path ? `“${at.path}” has` : "There is"} no “${unknown}”. Available: ${names.join(", ") || "none"}.`;
	return firstOf(fields, (field) => checkField(value, field, at));
}

function firstOf<Item>(items: Iterable<Item>, check: (item: Item) => string | undefined): string | undefined {
	for (const item of items) {
		const mistake = check(item);
		if (mistake !== undefined) return mistake;
	}
	return undefined;
}

function checkField(
	value: Readonly<Record<string, unknown>>,
	{ name, type, values, isRequired, takesRefs }: Field,
	{ types, path: above }: At,
): string | undefined {
	const path = above === "" ? name : `${above}.${name}`;
	const given = Object.hasOwn(value, name) ? value[name] : undefined;
	if (given === undefined) return isRequired ? `“${path}” is missing.` : undefined;
	const mistake =
		takesRefs && readAssetRef(given)
			? `“${path}” refers to a result, but this caller keeps none. Give the value itself.`
			: checkValue(given, type, { types, path });
	if (mistake !== undefined || !values || values.some((one) => one === given)) return mistake;
	return `“${path}” must be one of ${values.map((one) => JSON.stringify(one)).join(", ")}.`;
}

function checkValue(value: unknown, type: ValueType, at: At): string | undefined {
	switch (type.kind) {
		case "list":
			return checkList(value, type.items, at);
		case "dict":
			return isRecord(value) ? checkEntries(value, type.values, at) : wrong(at, "an object");
		case "object":
			return checkObject(value, type.fields, at);
		case "ref":
			return checkValue(value, at.types[type.name] ?? { kind: "any" }, at);
		default: {
			const [fits, words] = SIMPLE[type.kind];
			return fits(value) ? undefined : wrong(at, words);
		}
	}
}

function checkList(value: unknown, items: ValueType, at: At): string | undefined {
	if (!Array.isArray(value)) return wrong(at, "a list");
	return firstOf(value.entries(), ([index, item]) =>
		checkValue(item, items, { ...at, path: `${at.path}[${index}]` }),
	);
}

function checkEntries(
	value: Readonly<Record<string, unknown>>,
	values: ValueType,
	at: At,
): string | undefined {
	return firstOf(Object.entries(value), ([name, entry]) =>
		checkValue(entry, values, { ...at, path: `${at.path}.${name}` }),
	);
}

export type Simple = Exclude<ValueType["kind"], "list" | "dict" | "object" | "ref">;

/** What each type takes, and its name in a sentence. */
const SIMPLE: Readonly<Record<Simple, readonly [fits: (value: unknown) => boolean, words: string]>> = {
	any: [() => true, "anything"],
	string: [(value) => typeof value === "string", "a text"],
	date: [(value) => typeof value === "string" && isDate(value), "a date, such as 2026-11-26"],
	iri: [(value) => typeof value === "string" && IRI.test(value), "an IRI, such as https://example.org/thing"],
	path: [
		(value) => typeof value === "string" && isWithin(value),
		"a path within the folder that does not go up, with forward slashes, such as docs/a.md",
	],
	int: [Number.isSafeInteger, "a whole number"],
	float: [Number.isFinite, "a number"],
	bool: [(value) => typeof value === "boolean", "true or false"],
};

/** Whether a day exists; a day above the end of its month would become one of the next. */
function isDate(text: string): boolean {
	return /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00Z`).toJSON()?.startsWith(text) === true;
}

/** Whether a path stays below its base on every system, before links are followed: no drive, no stream, no share. */
function isWithin(path: string): boolean {
	return (
		/^[^/\\:\p{Cc}][^\\:\p{Cc}]*$/u.test(path) && !path.split("/").some((part) => /^\.\.[. ]*$/.test(part))
	);
}

function wrong({ path }: At, what: string): string {
	return path === "" ? `The input must be ${what}.` : `“${path}” must be ${what}.`;
}
