/** A name of a thing as a file spells it. Offsets count the characters of the file's text. */
export interface WrittenName {
	/** What it stands for, in full. */
	readonly iri: string;
	readonly start: number;
	readonly end: number;
	/** What may stand there, where the syntax tells. */
	readonly role?: "class" | "property" | "thing";
	/** How the same place would name another thing; `undefined` where it cannot. */
	spell(iri: string): string | undefined;
}

/** What a file declares, and what completion at a place may use. */
export interface Names {
	readonly names: readonly WrittenName[];
	/** Namespaces by the prefixes that the file declares. */
	readonly prefixes: ReadonlyMap<string, string>;
}

export interface NamedText {
	/** Of the file; what is relative in it is resolved against this, unless it names another base. */
	readonly uri: string;
	readonly text: string;
	/** Prefixes that hold where the file declares none. */
	readonly known?: ReadonlyMap<string, string>;
}

/** The name that holds an offset, or that ends there: the innermost of them. */
export function nameAt(names: readonly WrittenName[], offset: number): WrittenName | undefined {
	return names
		.filter(({ start, end }) => start <= offset && offset <= end)
		.sort((a, b) => a.end - a.start - (b.end - b.start))[0];
}
