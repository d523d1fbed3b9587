/** What a model reads and writes. */
export type Message =
	| { readonly role: "system"; readonly text: string }
	| { readonly role: "user"; readonly text: string }
	| { readonly role: "assistant"; readonly text: string; readonly toolCalls: readonly ToolCall[] }
	| { readonly role: "tool"; readonly callId: string; readonly text: string };

export interface ToolCall {
	readonly id: string;
	readonly name: string;
	readonly input: unknown;
}

/** A question and its answer, as they stand in the chat. */
export interface Turn {
	readonly question: string;
	readonly answer: string;
}
