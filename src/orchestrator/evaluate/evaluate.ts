import { type PromptFacts, readPrompt } from "./readPrompt.ts";

/** Characters; longer prompts are refused. */
export const LONGEST_PROMPT = 32_000;

/** How clear a prompt is, by rules alone: the same prompt always gets the same. */
export interface Evaluation {
	readonly prompt: string;
	/** Whether it says what to do and with what. */
	readonly isClear: boolean;
	/** 0 to 1; at least 0.7 if it is clear. */
	readonly confidence: number;
	/** A question to the user for what is missing; absent if it is clear. */
	readonly question?: string;
	readonly facts: PromptFacts;
}

export function evaluate(given: string): Evaluation {
	const prompt = given.trim();
	const facts = readPrompt(prompt.slice(0, LONGEST_PROMPT));
	const question = questionOf(facts);
	const known = facts.telling.length + facts.names.length;
	if (question !== undefined)
		return { prompt, isClear: false, confidence: known > 0 ? 0.5 : 0.2, question, facts };
	return { prompt, isClear: true, confidence: facts.names.length > 0 ? 0.9 : 0.8, facts };
}

/** A task has a word for what is done and one for what it is done with, whichever comes first. */
function questionOf({ telling, broad, names }: PromptFacts): string | undefined {
	const [word] = telling;
	if (telling.length + names.length > 1 && word !== undefined) return undefined;
	const quoted = names.slice(0, 3).map((name) => `“${name}”`);
	if (names.length > 0) return `What should be done with ${quoted.join(" and ")}?`;
	if (broad.length > 0) return `Which ${broad[0]}: a file, a folder, or a name?`;
	if (word !== undefined) return `“${word}” what? Name a file, a folder, or a name.`;
	return "What should be done, and with what?";
}
