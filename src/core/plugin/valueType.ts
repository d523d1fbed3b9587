export type ValueType =
	/** `date`, `iri` and `path` are texts: a date like 2026-11-26, a resource's IRI, a path in the workspace's folders. */
	| { readonly kind: "string" | "date" | "iri" | "path" | "int" | "float" | "bool" | "any" }
	| { readonly kind: "list"; readonly items: ValueType }
	| { readonly kind: "dict"; readonly values: ValueType }
	| { readonly kind: "object"; readonly fields: readonly Field[] }
	/** A type that the file names with `_type_ref`; references are never circular. */
	| { readonly kind: "ref"; readonly name: string };

export interface Field {
	readonly name: string;
	readonly type: ValueType;
	readonly isRequired: boolean;
	readonly description?: string;
	readonly values?: readonly (string | number | boolean)[];
	readonly example?: unknown;
	/** Whether a caller that keeps results may pass a reference; the caller replaces the reference by the value. */
	readonly takesRefs?: true;
}

export type NamedTypes = Readonly<Record<string, ValueType>>;
