import type { LineRange } from "../../core/knowledge/source.ts";

/** A value of JSON, YAML or TOML with its lines. */
export type Tree = TreeValue | TreeList | TreeMap;

export interface TreeValue {
	readonly kind: "value";
	/** As written, without quotation marks. */
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
	/** In order. */
	readonly members: ReadonlyMap<string, Tree>;
	readonly lines: LineRange;
}
