export type ValueType =
	/** Texts: `date` as in 2026-11-26, `iri` for a thing of the graph, `path` for a file or a folder within the workspace's. */
	| { readonly kind: "string" | "date" | "iri" | "path" | "int" | "float" | "bool" | "any" }
	| { readonly kind: "list"; readonly items: ValueType }
	| { readonly kind: "dict"; readonly values: ValueType }
	| { readonly kind: "object"; readonly fields: readonly Field[] }
	/** A type that the file names with `_type_ref`; none leads back to itself. */
	| { readonly kind: "ref"; readonly name: string };

export interface Field {
	readonly name: string;
	readonly type: ValueType;
	readonly isRequired: boolean;
	readonly description?: string;
	/** All values that there may be. */
	readonly values?: readonly (string | number | boolean)[];
	readonly example?: unknown;
	/** Whether a caller that keeps results may give a reference to one, which it replaces by the value. */
	readonly takesRefs?: true;
}

export type NamedTypes = Readonly<Record<string, ValueType>>;
