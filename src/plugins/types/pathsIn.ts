import { isRecord } from "../../base/values.ts";
import type { Field, NamedTypes, ValueType } from "../../core/plugin/valueType.ts";

export function pathsIn(
	fields: readonly Field[],
	valueFor: (name: string) => unknown,
	types: NamedTypes,
): readonly string[] {
	return fields.flatMap(({ name, type }) => pathsOf(valueFor(name), type, types));
}

function pathsOf(value: unknown, type: ValueType, types: NamedTypes): readonly string[] {
	if (type.kind === "path") return typeof value === "string" ? [value] : [];
	if (type.kind === "list" && Array.isArray(value))
		return value.flatMap((item) => pathsOf(item, type.items, types));
	if (type.kind === "ref") return pathsOf(value, types[type.name] ?? { kind: "any" }, types);
	if (!isRecord(value)) return [];
	if (type.kind === "dict") return Object.values(value).flatMap((item) => pathsOf(item, type.values, types));
	return type.kind === "object" ? pathsIn(type.fields, (name) => value[name], types) : [];
}
