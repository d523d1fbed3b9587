import type { Citation } from "./citation.ts";
import type { SectionForm } from "./section.ts";

export interface Answer {
	/** `overview`: what the folder is about; `nothing`: the quotes are only the nearest places. */
	readonly kind: "answer" | "overview" | "nothing";
	/** The language of the question, if it is not English. */
	readonly language?: string;
	/** Best first. */
	readonly quotes: readonly Quote[];
	/** Parts of an overview: kinds of things with their number, and questions that the folder answers. */
	readonly overview?: Overview;
}

export interface Quote {
	readonly citation: Citation;
	/** What it is about, if the text does not say so: headings, or a thing and its property. */
	readonly lead?: string;
	readonly form: SectionForm;
	readonly parts: readonly QuotePart[];
}

export interface QuotePart {
	readonly text: string;
	/** Whether it answers; the other parts are around it. */
	readonly isBest?: true;
}

export interface Overview {
	readonly kinds: readonly { readonly name: string; readonly count: number }[];
	readonly questions: readonly string[];
}
