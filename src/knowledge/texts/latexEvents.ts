/** Hears what LaTeX says. Offsets are those of the text that is read. */
export interface LatexEvents {
	text(words: string, at: number): void;
	lineEnd?(at: number): void;
	paragraphEnd(at: number): void;
	/** A command of the document itself, with its argument as it is written. */
	command?(name: string, argument: string, at: number): void;
	link?(href: string, at: number): void;
	/** May read it whole: then gives the offset after it. */
	environment?(name: string, bodyAt: number): number | undefined;
	environmentEnd?(name: string, at: number): void;
}

/** What commands stand for that the document declares, and how deep we are in arguments. */
export interface LatexContext {
	readonly macros: ReadonlyMap<string, string>;
	readonly depth: number;
}
