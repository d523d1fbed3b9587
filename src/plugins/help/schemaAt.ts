import { isRecord } from "../../base/values.ts";

type Schema = Readonly<Record<string, unknown>>;

type Entries = Readonly<Record<string, Schema>>;

/**
 * Properties that a JSON Schema allows at a path, as from `spotAt`, given the entries beside it; several if these leave
 * it open.
 */
export function entriesAt(
	schema: Schema,
	path: readonly string[],
	beside: ReadonlyMap<string, string>,
): readonly Entries[] {
	const at = path.reduce<readonly Schema[]>(
		(found, step) => found.flatMap((one) => stepInto(one, step, schema)),
		variantsOf(schema, schema),
	);
	const fitting = at.filter((one) => fits(one, beside));
	return (fitting.length > 0 ? fitting : at).map(propertiesOf);
}

function stepInto(one: Schema, step: string, root: Schema): readonly Schema[] {
	const { items, additionalProperties } = one;
	const next = step === "-" ? items : (propertiesOf(one)[step] ?? additionalProperties);
	return isRecord(next) ? variantsOf(next, root) : [];
}

/** A schema, or those that it references or combines. */
function variantsOf(one: Schema, root: Schema): readonly Schema[] {
	const { $ref: name, oneOf, anyOf } = one;
	if (typeof name === "string") {
		const target = name
			.replace(/^#\//, "")
			.split("/")
			.reduce<unknown>((at, part) => (isRecord(at) ? at[part] : undefined), root);
		return isRecord(target) ? variantsOf(target, root) : [];
	}
	const several = [oneOf, anyOf].flatMap((list) => (Array.isArray(list) ? list.filter(isRecord) : []));
	return several.length === 0 ? [one] : several.flatMap((each) => variantsOf(each, root));
}

function propertiesOf({ properties }: Schema): Entries {
	return isRecord(properties) ? (properties as Entries) : {};
}

/** Whether the constants of the schema match the entries beside. */
function fits(one: Schema, beside: ReadonlyMap<string, string>): boolean {
	const fixed = Object.entries(propertiesOf(one)).filter(([, { const: value }]) => value !== undefined);
	return fixed.every(([name, { const: value }]) => !beside.has(name) || beside.get(name) === value);
}

/** All values of an entry, if they are enumerable. */
export function valuesOf(one: Schema | undefined): readonly string[] {
	if (!one) return [];
	if (one["type"] === "boolean") return ["true", "false"];
	if (Array.isArray(one["enum"])) return one["enum"].map(String);
	return one["const"] === undefined ? [] : [String(one["const"])];
}
