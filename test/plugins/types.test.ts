import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import type { Field, ValueType } from "../../src/core/plugin/valueType.ts";
import { readManifest } from "../../src/plugins/manifest/readManifest.ts";
import { checkInput } from "../../src/plugins/types/checkValue.ts";
import { inputSchemaOf } from "../../src/plugins/types/jsonSchema.ts";
import { assertNone } from "../support/assertNone.ts";
import { createRandom } from "../support/random.ts";
import { EXAMPLE } from "./example.ts";

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

test("whatever becomes of a file, all of its commands are offered, or an error says at which of its lines it is wrong", () => {
	const random = createRandom(15);
	const scraps = [
		"",
		"- ",
		"  ",
		"{",
		"]",
		"type: x",
		"&a *a",
		"enum: [",
		"🎈",
		"\t",
		": :",
		"null",
		"<<: *b",
		"'",
	];
	let plugins = 0;
	const damaged = () => {
		const lines = EXAMPLE.split("\n");
		for (let change = 0; change <= random.below(3); change++) {
			const at = random.below(lines.length);
			const line = lines[at] ?? "";
			const cut = random.below(line.length + 1);
			const scrap = scraps[random.below(scraps.length)] ?? "";
			lines.splice(at, random.below(3), line.slice(0, cut) + scrap + line.slice(cut + random.below(3)));
		}
		return lines.join("\n");
	};
	for (let round = 0; round < 200; round++) {
		const text = damaged();
		const { manifest, problems } = readManifest(text, { uri: "file:///p", name: "p" });
		const errors = problems.filter(({ severity }) => severity === "error");
		assert.ok(manifest !== undefined || errors.length > 0, text);
		const written = text.match(/command_name:/g) ?? [];
		assert.ok(errors.length > 0 || manifest?.commands.length === written.length, text);
		for (const { line } of problems)
			assert.ok(line >= 1 && line <= text.split("\n").length, `${line}: ${text}`);
		if (manifest) plugins++;
	}
	assert.ok(plugins > 10 && plugins < 190, `${plugins}`);
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

test("a value that may be given by reference says so in its schema, and is refused by whoever keeps no results", () => {
	const text = EXAMPLE.replace("asset_ref_acceptable: false", "asset_ref_acceptable: true").replace(
		"type: string\n    executor",
		"type: string\n      asset_ref_acceptable: true\n    executor",
	);
	const { manifest, problems } = readManifest(text, { uri: "file:///x", name: "example" });
	assertNone(problems.map(({ message }) => message));
	const [first, second] = manifest?.commands ?? [];
	assert.ok(first && second);
	const schema = JSON.stringify(inputSchemaOf(first.parameters, manifest?.types ?? {}));
	assert.match(
		schema,
		/"param_name_1":\{"anyOf":\[\{"type":"string","enum":\["one","two"\]\},\{"type":"string","pattern":"\^asset:\/\/"/,
	);
	assert.equal(checkInput({ param: "text" }, second.parameters, {}), undefined);
	for (const param of ["asset://1/a", { asset_id: "1", field_path: ["a"] }])
		assert.match(
			checkInput({ param }, second.parameters, {}) ?? "",
			/“param” refers to a result, but this caller keeps none/,
		);
});
