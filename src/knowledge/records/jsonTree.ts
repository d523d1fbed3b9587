import type { LineRange } from "../../core/knowledge/source.ts";
import { placeOf } from "../rdf/jsonLd/locatedJson.ts";

/** A value of JSON, YAML or TOML. */
export type Tree = TreeValue | TreeList | TreeMap;

export interface TreeValue {
	readonly kind: "value";
	/** Without quotation marks. */
	readonly text: string;
	readonly isQuoted: boolean;
	readonly lines: LineRange;
}

export interface TreeList {
	readonly kind: "list";
	readonly items: readonly Tree[];
	readonly lines: LineRange;
}

export interface TreeMap {
	readonly kind: "map";
	readonly members: ReadonlyMap<string, Tree>;
	readonly lines: LineRange;
}

export const MAX_TREE_DEPTH = 8;

/** Objects without a place get `lines`; `null` says nothing. */
export function jsonTree(value: unknown, lines: LineRange, depth = MAX_TREE_DEPTH): Tree | undefined {
	if (value === null || value === undefined || depth === 0) return undefined;
	if (typeof value !== "object")
		return { kind: "value", text: String(value), isQuoted: typeof value === "string", lines };
	if (Array.isArray(value)) {
		const items = value.map((item: unknown) => jsonTree(item, placeOf(item)?.lines ?? lines, depth - 1));
		return { kind: "list", items: items.filter((item) => item !== undefined), lines };
	}
	const place = placeOf(value);
	const members = new Map<string, Tree>();
	for (const [key, member] of Object.entries(value)) {
		const own = place?.members.get(key) ?? lines;
		const tree = jsonTree(member, own, depth - 1);
		if (tree) members.set(key, tree);
	}
	return { kind: "map", members, lines: place?.lines ?? lines };
}
