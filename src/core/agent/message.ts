/** What a model reads and writes. */
export type Message =
	| { readonly role: "system"; readonly text: string }
	| { readonly role: "user"; readonly text: string; readonly images?: readonly Image[] }
	| { readonly role: "assistant"; readonly text: string; readonly toolCalls: readonly ToolCall[] }
	| { readonly role: "tool"; readonly callId: string; readonly text: string };

/** What a model says, piece by piece. */
export type ModelPart =
	| { readonly kind: "text"; readonly text: string }
	| { readonly kind: "toolCall"; readonly call: ToolCall };

export interface Image {
	readonly mimeType: string;
	/** Base64. */
	readonly data: string;
}

export interface ToolCall {
	readonly id: string;
	readonly name: string;
	readonly input: unknown;
}

/** A question and its answer; `historyTurn` says what of an answer later models get. */
export interface Turn {
	readonly question: string;
	readonly answer: string;
}
