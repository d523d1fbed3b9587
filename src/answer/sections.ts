import type { Section } from "../core/knowledge/section.ts";
import type { Words } from "./question/words.ts";
import { hasHeader } from "./units.ts";

export interface FoundSection extends Section {
	readonly uri: string;
	readonly path: string;
	/** The headings that lead to it, or the classes and the name of a thing. */
	readonly title: string;
	readonly label?: string;
	/** Whether a document begins with it that is called just as what the question asks about. */
	readonly isBeginning?: boolean;
	readonly score: number;
}

export interface ReadSection {
	readonly section: FoundSection;
	/** A line that leads to it, and says nothing alone. */
	readonly intro?: FoundSection;
	readonly words: ReadonlySet<string>;
	/** Stems of headings, header and file name. */
	readonly context: ReadonlySet<string>;
	/** A unit vector; empty if there is none. */
	readonly vector: Float32Array;
}

export function readSection(
	{ section, intro }: Pick<ReadSection, "section" | "intro">,
	vector: Float32Array,
	{ telling }: Words,
): ReadSection {
	const { title, path, text } = section;
	const header = hasHeader(text) ? (text.split("\n", 1)[0] ?? "") : "";
	const file = path.replace(/\.\w+$/, "");
	const context = telling(`${title} ${file} ${header} ${intro?.text ?? ""}`);
	return { section, ...(intro && { intro }), vector, words: telling(text), context };
}
