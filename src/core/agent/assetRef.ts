import { decode } from "../knowledge/citation.ts";

/** A reference to an earlier result or to a value in the result, for example `asset://3/rows/0/name`. */
export interface AssetRef {
	readonly number: number;
	readonly path: readonly string[];
}

const REF = /^asset:\/\/([^/\s|]+)((?:\/[^/|]*)*)$/;

/** Reads a reference from text or from an object `{ asset_id, field_path }`; `undefined` for any other value. */
export function readAssetRef(value: unknown): AssetRef | undefined {
	if (typeof value === "string") {
		const [, id, path = ""] = REF.exec(value.trim().replace(/^<\|(.*)\|>$/s, "$1")) ?? [];
		const parts = path.split("/").filter((part) => part !== "");
		return id === undefined ? undefined : refOf(id, parts.map(decode));
	}
	if (typeof value !== "object" || value === null || !("asset_id" in value)) return undefined;
	const { asset_id: id, field_path: path = [], ...others }: Partial<Record<string, unknown>> = value;
	if (Object.keys(others).length > 0 || !Array.isArray(path)) return undefined;
	return refOf(String(id), path.map(String));
}

const IN_TEXT = /<\|(asset:\/\/[^|\s]{1,300})\|>/g;

export function assetRefsIn(text: string): AssetRef[] {
	return [...text.matchAll(IN_TEXT)].flatMap(([, inner]) => readAssetRef(inner) ?? []);
}

/** Replaces the references in a text. References inside a replacement stay unchanged. */
export function replaceAssetRefs(text: string, write: (ref: AssetRef) => string): string {
	return text.replace(IN_TEXT, (written, inner: string) => {
		const ref = readAssetRef(inner);
		return ref ? write(ref) : written;
	});
}

export function writeAssetRef({ number, path }: AssetRef): string {
	const parts = path.map((part) => part.replace(/[%/|\s]/g, encodeURIComponent));
	return ["asset:/", number, ...parts].join("/");
}

function refOf(id: string, path: readonly string[]): AssetRef {
	return { number: /^\d{1,9}$/.test(id) ? Number(id) : 0, path };
}

/** JSON Schema of a reference, for use as an alternative to a value's own type. */
export const ASSET_REF_SCHEMA = {
	type: "string",
	pattern: "^asset://",
	description: "Or a part of an earlier result, as in asset://3/rows/0/name.",
} as const;
