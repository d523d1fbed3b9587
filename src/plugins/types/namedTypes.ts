import type { NamedTypes, ValueType } from "../../core/plugin/valueType.ts";
import type { TypeReader } from "./readType.ts";

/** The types that a file names, after all of it was read: none is missing, and none leads back to itself. */
export function finishTypes({ named, used, report }: TypeReader): NamedTypes {
	for (const { name, place } of used)
		if (!named.has(name)) report.error(place, `“${name}” is not a type, and no _type_ref defines it.`);
	const state = new Map<string, "open" | "done">();
	const leadsBack = (name: string): boolean => {
		const type = named.get(name)?.type;
		if (!type || state.get(name) === "done") return false;
		if (state.get(name) === "open") return true;
		state.set(name, "open");
		const found = namesIn(type).some(leadsBack);
		state.set(name, "done");
		return found;
	};
	for (const [name, { place }] of named)
		if (leadsBack(name)) report.error(place, `The type “${name}” contains itself, so no value is possible.`);
	return Object.fromEntries([...named].map(([name, { type }]) => [name, type]));
}

function namesIn(type: ValueType): string[] {
	switch (type.kind) {
		case "ref":
			return [type.name];
		case "list":
			return namesIn(type.items);
		case "dict":
			return namesIn(type.values);
		case "object":
			return type.fields.flatMap((field) => namesIn(field.type));
		default:
			return [];
	}
}
