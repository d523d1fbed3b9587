import { isRecord } from "../../base/values.ts";
import { ASSET_REF_SCHEMA, readAssetRef } from "../../core/agent/assetRef.ts";
import type { Field, NamedTypes, ValueType } from "../../core/plugin/valueType.ts";

type Input = Readonly<Record<string, unknown>>;

/** An IRI with a scheme, as defined by SPARQL. */
export const IRI = /^[A-Za-z][A-Za-z0-9+.-]*:[^<>"{}|^`\\\s\p{Cc}]*$/u;

/** Describes the first invalid value for a model; `undefined` if all are valid. */
export function checkInput(input: unknown, fields: readonly Field[], types: NamedTypes): string | undefined {
	const [first] = mistakesIn(input, { kind: "object", fields }, { types, path: "" });
	return first;
}

/** Converts texts to numbers in numeric fields: models may write `"2"` for 2. */
export function withNumbers(input: Input, fields: readonly Field[]): Input {
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
	/** Path in JavaScript syntax; empty at the root. */
	readonly path: string;
}

function* mistakesIn(value: unknown, type: ValueType, at: At): Generator<string, void, void> {
	const { types, path } = at;
	switch (type.kind) {
		case "list": {
			if (!Array.isArray(value)) return yield wrong(at, "a list");
			const items = value.map((item, index) => [`${path}[${index}]`, item] as const);
			return yield* mistakesInAll(items, type.items, types);
		}
		case "dict": {
			if (!isRecord(value)) return yield wrong(at, "an object");
			const entries = Object.entries(value).map(([name, entry]) => [`${path}.${name}`, entry] as const);
			return yield* mistakesInAll(entries, type.values, types);
		}
		case "object":
			return yield* mistakesInObject(value, type.fields, at);
		case "ref":
			return yield* mistakesIn(value, types[type.name] ?? { kind: "any" }, at);
		default: {
			const { fits, words } = SIMPLE_TYPES[type.kind];
			if (!fits(value)) yield wrong(at, words);
		}
	}
}

function* mistakesInAll(
	values: readonly (readonly [path: string, value: unknown])[],
	type: ValueType,
	types: NamedTypes,
) {
	for (const [path, value] of values) yield* mistakesIn(value, type, { types, path });
}

function* mistakesInObject(value: unknown, fields: readonly Field[], at: At): Generator<string, void, void> {
	if (!isRecord(value)) return yield wrong(at, "an object");
	const names = fields.map(({ name }) => name);
	const unknown = Object.keys(value).find((name) => !names.includes(name));
	const where = at.path === "" ? "There is" : `“${at.path}” has`;
	if (unknown !== undefined) yield `${where} no “${unknown}”. Available: ${names.join(", ") || "none"}.`;
	for (const field of fields) yield* mistakesInField(value, field, at);
}

function* mistakesInField(
	value: Input,
	{ name, type, values, isRequired, takesRefs }: Field,
	{ types, path: above }: At,
): Generator<string, void, void> {
	const path = above === "" ? name : `${above}.${name}`;
	const given = Object.hasOwn(value, name) ? value[name] : undefined;
	if (given === undefined) return isRequired ? yield `“${path}” is missing.` : undefined;
	if (takesRefs && readAssetRef(given))
		yield `“${path}” refers to a result, but this caller keeps none. Give the value itself.`;
	yield* mistakesIn(given, type, { types, path });
	if (values && !values.some((one) => one === given))
		yield `“${path}” must be one of ${values.map((one) => JSON.stringify(one)).join(", ")}.`;
}

export type Simple = Exclude<ValueType["kind"], "list" | "dict" | "object" | "ref">;

interface SimpleType {
	fits(value: unknown): boolean;
	/** Describes the type in messages. */
	readonly words: string;
	readonly schema: object;
}

export const SIMPLE_TYPES: Readonly<Record<Simple, SimpleType>> = {
	any: { fits: () => true, words: "anything", schema: {} },
	string: textType(() => true, "a text"),
	date: textType(isDate, "a date, such as 2026-11-26", { format: "date" }),
	iri: textType((text) => IRI.test(text), "an IRI, such as https://example.org/thing", { format: "iri" }),
	path: textType(
		isWithin,
		"a path within the folder that does not go up, with forward slashes, such as docs/a.md",
		{ description: "A path within the folder." },
	),
	int: { fits: Number.isSafeInteger, words: "a whole number", schema: { type: "integer" } },
	float: { fits: Number.isFinite, words: "a number", schema: { type: "number" } },
	bool: { fits: (value) => typeof value === "boolean", words: "true or false", schema: { type: "boolean" } },
};

function textType(isValid: (text: string) => boolean, words: string, rest: object = {}): SimpleType {
	const fits = (value: unknown) => typeof value === "string" && isValid(value);
	return { fits, words, schema: { type: "string", ...rest } };
}

/** Whether a date exists. `Date` would move 30 February to March. */
function isDate(text: string): boolean {
	return /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00Z`).toJSON()?.startsWith(text) === true;
}

/** Whether a path stays below its base on every system: no drive, stream or share. Links are not checked. */
function isWithin(path: string): boolean {
	return (
		/^[^/\\:\p{Cc}][^\\:\p{Cc}]*$/u.test(path) && !path.split("/").some((part) => /^\.\.[. ]*$/.test(part))
	);
}

function wrong({ path }: At, what: string): string {
	return path === "" ? `The input must be ${what}.` : `“${path}” must be ${what}.`;
}

export function inputSchemaOf(fields: readonly Field[], types: NamedTypes): object {
	const needed = new Set(namesIn({ kind: "object", fields }));
	// Also visits the names that are added meanwhile.
	for (const name of needed) for (const inner of namesIn(types[name] ?? { kind: "any" })) needed.add(inner);
	const definitions = Object.fromEntries(
		Object.entries(types).flatMap(([name, type]) => (needed.has(name) ? [[name, schemaOf(type)]] : [])),
	);
	return { ...objectSchema(fields), ...(needed.size > 0 && { $defs: definitions }) };
}

function schemaOf(type: ValueType): object {
	switch (type.kind) {
		case "list":
			return { type: "array", items: schemaOf(type.items) };
		case "dict":
			return { type: "object", additionalProperties: schemaOf(type.values) };
		case "object":
			return objectSchema(type.fields);
		case "ref":
			return { $ref: `#/$defs/${type.name}` };
		default:
			return SIMPLE_TYPES[type.kind].schema;
	}
}

const REF_OBJECT = {
	type: "object",
	properties: {
		asset_id: { type: "string" },
		field_path: { type: "array", items: { type: ["string", "integer"] } },
	},
	required: ["asset_id"],
	additionalProperties: false,
} as const;

function objectSchema(fields: readonly Field[]): object {
	return {
		type: "object",
		properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
		required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
		additionalProperties: false,
	};
}

function fieldSchema({ type, description, values, example, takesRefs }: Field): object {
	const own = { ...schemaOf(type), ...(values && { enum: values }) };
	return {
		...(takesRefs ? { anyOf: [own, ASSET_REF_SCHEMA, REF_OBJECT] } : own),
		...(description !== undefined && { description }),
		...(example !== undefined && { examples: [example] }),
	};
}

/** Names that a type refers to directly, not through other named types. */
export function namesIn(type: ValueType): string[] {
	return type.kind === "ref" ? [type.name] : partsOf(type).flatMap(namesIn);
}

function partsOf(type: ValueType): readonly ValueType[] {
	if (type.kind === "list") return [type.items];
	if (type.kind === "dict") return [type.values];
	return type.kind === "object" ? type.fields.map((field) => field.type) : [];
}
