export type Step =
	| { readonly say: string }
	| { readonly call: string; readonly input: object }
	| { readonly fail: "NotFound" }
	/** Says nothing until the request is cancelled. */
	| { readonly wait: "for cancel" };

export interface SeenRequest {
	/** One text for each message, in order: `user: …`, `assistant: …`; tool calls and results as text. */
	readonly messages: readonly string[];
	readonly tools: readonly string[];
}

export interface ScriptedModel {
	/** The replies to the next requests, in order; forgets earlier replies and requests. */
	play(...replies: Step[][]): void;
	requests(): readonly SeenRequest[];
	waiting(): Promise<void>;
	finished(): Promise<void>;
	/** The folder in which each extension has one of its own for what it keeps. */
	readonly globalStorage: string;
}
