import { fieldOf, isRecord, textOf } from "../../base/values.ts";
import {
	ASSET_REF_SCHEMA,
	type AssetRef,
	readAssetRef,
	replaceAssetRefs,
} from "../../core/agent/assetRef.ts";
import type { Assets } from "./assetShelf.ts";
import { textAt, valueAt } from "./lookUp.ts";

/** Maximum depth, which no schema of a tool exceeds. */
const DEPTH = 40;

const MOST = 2_000_000;

export function mayTakeRefs(schema: object): boolean {
	return JSON.stringify(schema).includes(JSON.stringify(ASSET_REF_SCHEMA.pattern));
}

/** Replaces references in an input by their values, if the tool's schema allows references there. */
export function fillRefs(input: unknown, schema: object, assets: Assets): unknown {
	if (!mayTakeRefs(schema)) return input;
	const look = boundedLook(assets);
	const definitions = fieldOf(schema, "$defs");
	const fill = (value: unknown, written: unknown, depth: number): unknown => {
		// Resolving one `$ref` is enough, because our definitions do not reference each other.
		const name = textOf(written, "$ref");
		const at = name === undefined ? written : fieldOf(definitions, name.replace(/^.*\//, ""));
		if (depth > DEPTH || !isRecord(at)) return value;
		const type = typeBesideRefs(at);
		if (type !== undefined) {
			const given = valueFor(value, type, look);
			return given === value ? fill(value, type, depth + 1) : given;
		}
		return mapItems(value, at, (item, schema) => fill(item, schema, depth + 1));
	};
	return fill(input, schema, 0);
}

/** Returns the schema for values other than references; `undefined` if references are not allowed. */
function typeBesideRefs({ anyOf: choices }: Readonly<Record<string, unknown>>): unknown {
	const [type, ...others] = Array.isArray(choices) ? choices : [];
	return others.some((one) => fieldOf(one, "pattern") === ASSET_REF_SCHEMA.pattern) ? type : undefined;
}

function mapItems(
	value: unknown,
	{ items, properties, additionalProperties }: Readonly<Record<string, unknown>>,
	change: (item: unknown, schema: unknown) => unknown,
): unknown {
	if (Array.isArray(value)) return value.map((item) => change(item, items));
	if (!isRecord(value)) return value;
	const schemaOf = (name: string) =>
		isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
	const entries = Object.entries(value).map(([name, item]) => [name, change(item, schemaOf(name))]);
	return Object.fromEntries(entries);
}

/** Limits the total size, because short references may have large values. */
function boundedLook(assets: Assets) {
	let taken = 0;
	const counted = <Value>(value: Value): Value => {
		taken += typeof value === "string" ? value.length : JSON.stringify(value).length;
		if (taken <= MOST) return value;
		throw new Error(`the references stand for more than ${MOST} characters. Refer to parts of the results.`);
	};
	return {
		text: (ref: AssetRef) => counted(textAt(assets, ref)),
		value: (ref: AssetRef) => counted(valueAt(assets, ref)),
	};
}

function valueFor(value: unknown, type: unknown, look: ReturnType<typeof boundedLook>): unknown {
	const ref = readAssetRef(value);
	if (ref) return fieldOf(type, "type") === "string" ? look.text(ref) : look.value(ref);
	return typeof value === "string" ? replaceAssetRefs(value, look.text) : value;
}
