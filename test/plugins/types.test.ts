import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import type { Field, ValueType } from "../../src/core/plugin/valueType.ts";
import { checkInput } from "../../src/plugins/types/checkValue.ts";
import { inputSchemaOf } from "../../src/plugins/types/jsonSchema.ts";
import { createRandom } from "../support/random.ts";

const SIMPLE = ["string", "iri", "int", "float", "bool", "any"] as const;

test("any type goes through JSON Schema and back, and judges values as the schema does", () => {
	const random = createRandom(14);
	const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)] as Item;
	const typeOf = (depth: number): ValueType => {
		const kind = depth > 3 ? "simple" : pick(["simple", "list", "dict", "object"]);
		if (kind === "list") return { kind, items: typeOf(depth + 1) };
		if (kind === "dict") return { kind, values: typeOf(depth + 1) };
		return kind === "object" ? { kind, fields: fieldsOf(depth + 1) } : { kind: pick(SIMPLE) };
	};
	const fieldsOf = (depth: number): Field[] =>
		["a", "b", "c"].slice(0, random.below(4)).map((name) => ({
			...{ name, type: typeOf(depth), isRequired: random.below(2) === 0 },
		}));
	const values = [
		"urn:x",
		"text",
		1,
		1.5,
		true,
		[],
		["urn:x"],
		[1],
		{},
		{ a: 1 },
		{ a: "urn:x", b: [] },
		null,
	];
	for (let round = 0; round < 300; round++) {
		const fields = fieldsOf(0);
		const schema = inputSchemaOf(fields, {});
		assert.deepEqual(fieldsIn(schema as Schema), fields);
		const judge = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
		for (let attempt = 0; attempt < 10; attempt++) {
			const names = fields.map(({ name }) => name).concat(random.below(9) === 0 ? "other" : []);
			const value = Object.fromEntries(names.map((name) => [name, pick(values)]));
			const mistake = checkInput(value, fields, {});
			// JSON Schema has no words for what an IRI is.
			if (mistake?.includes("IRI")) continue;
			assert.equal(
				mistake === undefined,
				judge.safeParse(value).success,
				`${mistake} ${JSON.stringify({ fields, value })}`,
			);
		}
	}
});

interface Schema {
	readonly type?: string;
	readonly format?: string;
	readonly items?: Schema;
	readonly properties?: Readonly<Record<string, Schema>>;
	readonly required?: readonly string[];
	readonly additionalProperties?: Schema | false;
}

function fieldsIn({ properties = {}, required = [] }: Schema): Field[] {
	return Object.entries(properties).map(([name, schema]) => ({
		...{ name, type: typeIn(schema), isRequired: required.includes(name) },
	}));
}

function typeIn(schema: Schema): ValueType {
	const { type, format, items, additionalProperties } = schema;
	if (items) return { kind: "list", items: typeIn(items) };
	if (additionalProperties) return { kind: "dict", values: typeIn(additionalProperties) };
	if (type === "object") return { kind: "object", fields: fieldsIn(schema) };
	const names = { string: "string", integer: "int", number: "float", boolean: "bool" } as const;
	return { kind: format === "iri" ? "iri" : (names[type as keyof typeof names] ?? "any") };
}
