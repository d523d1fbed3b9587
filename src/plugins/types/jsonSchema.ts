import { ASSET_REF_SCHEMA } from "../../core/agent/assetRef.ts";
import type { Field, NamedTypes, ValueType } from "../../core/plugin/valueType.ts";
import { SIMPLE_TYPES } from "./checkValue.ts";
import { namesIn } from "./readType.ts";

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
