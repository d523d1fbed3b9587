/** An occurrence of a name in a file. Offsets count UTF-16 code units. */
export interface WrittenName {
	readonly iri: string;
	readonly start: number;
	readonly end: number;
	/** Kind of name that fits here, if the syntax decides. */
	readonly role?: "class" | "property" | "thing";
	/** Set for a heading or block of a note: whether it is here, or this is a link to it. */
	readonly place?: "here" | "link";
	/** Spelling of another name in this position; `undefined` if impossible. */
	spell(iri: string): string | undefined;
}

export interface Names {
	readonly names: readonly WrittenName[];
	/** Declared namespaces by prefix. */
	readonly prefixes: ReadonlyMap<string, string>;
}

export interface NamedText {
	/** Base of relative names unless the text sets another. */
	readonly uri: string;
	readonly text: string;
	/** Prefixes that the text need not declare. */
	readonly known?: ReadonlyMap<string, string>;
}

/** The innermost name that contains the offset or ends at it. */
export function nameAt(names: readonly WrittenName[], offset: number): WrittenName | undefined {
	return names
		.filter(({ start, end }) => start <= offset && offset <= end)
		.sort((a, b) => a.end - a.start - (b.end - b.start))[0];
}
