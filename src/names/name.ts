/** An occurrence of a name in a file. Offsets count UTF-16 code units. */
export interface WrittenName {
	readonly iri: string;
	readonly start: number;
	readonly end: number;
	/** Kind of resource that the syntax requires here; absent if any kind is allowed. */
	readonly role?: "class" | "property" | "thing";
	/** For a heading or block of a note: whether the note has it here or links to it here. */
	readonly place?: "here" | "link";
	/** Spells another name in this position; `undefined` if that is impossible. */
	spell(iri: string): string | undefined;
}

export interface Names {
	readonly names: readonly WrittenName[];
	readonly prefixes: ReadonlyMap<string, string>;
}

export interface NamedText {
	/** Base IRI of relative names, unless the text declares another. */
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
