/** What a model wants to know of the person. Its words are not trusted. */
export interface UserQuestion {
	readonly question: string;
	readonly choices: readonly string[];
	/** Whether the person may answer in words of their own. */
	readonly allowFreeform: boolean;
}

/** Resolves with the answer, or `undefined` if the user dismisses the question; rejects with the signal's reason. */
export type AskUser = (question: UserQuestion, signal: AbortSignal) => Promise<string | undefined>;
