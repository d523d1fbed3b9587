/** What a model was given in one request, and what was left out. */
export interface ContextReport {
	/** Tokens that there were for the prompt. */
	readonly budget: number;
	/** Tokens of the prompt, by the model's own count. */
	readonly used: number;
	/** In the order of the prompt. */
	readonly parts: readonly ContextPart[];
}

export type ContextSection =
	| "instructions"
	| "tools"
	| "attachments"
	| "sources"
	| "memory"
	| "history"
	| "question"
	| "results";

export interface ContextPart {
	readonly section: ContextSection;
	readonly title: string;
	/** Tokens of the whole of it. */
	readonly tokens: number;
	/** Tokens of what the model was given; 0 if it was left out. */
	readonly given: number;
	readonly why: string;
}
