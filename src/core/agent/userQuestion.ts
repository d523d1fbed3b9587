/** A model's question to the user. The text is untrusted. */
export interface UserQuestion {
	readonly question: string;
	readonly choices: readonly string[];
	readonly allowFreeform: boolean;
}

/** Resolves with the answer, or `undefined` if the user dismisses the question; rejects with the signal's reason. */
export type AskUser = (question: UserQuestion, signal: AbortSignal) => Promise<string | undefined>;
