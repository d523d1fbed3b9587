/** An occurrence of a name in a file. Offsets count UTF-16 code units. */
export interface WrittenName {
	readonly iri: string;
	readonly start: number;
	readonly end: number;
	/** Kind of resource that the syntax requires here; absent if any kind is allowed. */
	readonly role?: Naming["role"];
	/** For a heading or block of a note: whether the note has it here or links to it here. */
	readonly place?: "here" | "link";
	/** Spells another name in this position; `undefined` if that is impossible. */
	spell(iri: string): string | undefined;
}

export interface Names {
	readonly names: readonly WrittenName[];
	readonly prefixes: ReadonlyMap<string, string>;
}

/** What a reader has found so far. */
export interface Found extends Names {
	readonly names: WrittenName[];
	readonly prefixes: Map<string, string>;
}

/** How a word of a syntax names a resource. */
export interface Naming {
	readonly role: "class" | "property" | "thing";
	/** The IRI of a word; `undefined` if the word names nothing. */
	read(word: string): string | undefined;
	/** Spells an IRI in place of `old`; `undefined` if that is impossible. */
	write(iri: string, old: string): string | undefined;
}

/** The name at these offsets, if the word there names a resource. The word has no escapes. */
export function nameOf(
	word: string,
	{ start, end }: { readonly start: number; readonly end: number },
	{ role, read, write }: Naming,
): WrittenName[] {
	const iri = read(word);
	return iri === undefined ? [] : [{ iri, start, end, role, spell: (wanted) => write(wanted, word) }];
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
