import { JUDGING, MAKING, topicsOf } from "./lexicon.ts";
import { type PromptFacts, readPrompt } from "./readPrompt.ts";

/** Characters; longer prompts are refused. */
export const LONGEST_PROMPT = 32_000;

/** What a prompt lacks. All but the last must be fixed before it is clear. */
type IssueKind = "short" | "vague" | "noAction" | "noScope" | "noConcern" | "noConstraint";

interface Issue {
	readonly kind: IssueKind;
	readonly message: string;
}

/** How clear a prompt is, by rules alone: the same prompt always gets the same. */
export interface Evaluation {
	readonly prompt: string;
	readonly isClear: boolean;
	/** 0 to 1. */
	readonly confidence: number;
	/** `unclear` below 0.5, `improvable` below 0.7; from there on it is good enough to begin with. */
	readonly band: "unclear" | "improvable" | "sufficient";
	readonly issues: readonly Issue[];
	readonly keywords: readonly string[];
	/** A question to the user; absent if nothing essential is missing. */
	readonly question?: string;
	readonly facts: PromptFacts;
}

const SHORTEST = 10;

const EXAMPLES = "a file, a folder, or a name";

export function evaluate(given: string): Evaluation {
	const prompt = given.trim();
	const facts = readPrompt(prompt.slice(0, LONGEST_PROMPT));
	const issues = issuesOf(prompt, facts);
	const confidence = prompt === "" ? 0 : confidenceOf(prompt, facts);
	const question = questionOf(facts, issues);
	return {
		prompt,
		isClear: confidence >= 0.7 && issues.every(({ kind }) => kind === "noConstraint"),
		confidence,
		band: bandOf(confidence),
		issues,
		keywords: topicsOf(facts.words.map(({ stem }) => stem)),
		...(question !== undefined && { question }),
		facts,
	};
}

export function feedbackOf({ isClear, issues }: Evaluation): string {
	if (issues.length === 0) return "The prompt is clear.";
	const found = issues.map(({ message }) => message).join(" ");
	return isClear ? `The prompt is clear. ${found}` : found;
}

function bandOf(confidence: number): Evaluation["band"] {
	if (confidence < 0.5) return "unclear";
	return confidence < 0.7 ? "improvable" : "sufficient";
}

/** In hundredths, so that the sums are exact. */
function confidenceOf(
	prompt: string,
	{ words, places, names, subjects, actions, vague }: PromptFacts,
): number {
	const isNamed = places.length > 0 || names.length > 0;
	const points =
		70 +
		(prompt.length < SHORTEST ? -20 : 0) +
		(words.length + places.length < 2 ? -20 : 0) +
		(vague.length > 0 && !isNamed ? -20 : 0) +
		(places.length > 0 ? 10 : 0) +
		(names.length > 0 ? 10 : 0) +
		(actions.length > 0 ? 10 : 0) +
		(!isNamed && subjects.length > 0 ? 5 : 0);
	return Math.min(100, Math.max(0, points)) / 100;
}

function issuesOf(prompt: string, facts: PromptFacts): Issue[] {
	if (prompt === "") return [{ kind: "short", message: "The prompt is empty: say what to do." }];
	const found = [
		shortness(prompt),
		vagueness(facts),
		inaction(facts),
		scopelessness(facts),
		unconcern(facts),
		looseness(facts),
	];
	return found.filter((issue) => issue !== undefined);
}

function shortness(prompt: string): Issue | undefined {
	if (prompt.length >= SHORTEST) return undefined;
	return { kind: "short", message: "The prompt is very short." };
}

function vagueness({ vague, places, names }: PromptFacts): Issue | undefined {
	if (vague.length === 0 || places.length + names.length > 0) return undefined;
	return { kind: "vague", message: `${quoted(vague)} could be anything: name ${EXAMPLES}.` };
}

function inaction({ actions, isQuestion }: PromptFacts): Issue | undefined {
	if (actions.length > 0 || isQuestion) return undefined;
	return { kind: "noAction", message: "It does not say what to do." };
}

function scopelessness({ places, names, broad, subjects }: PromptFacts): Issue | undefined {
	if (places.length + names.length > 0) return undefined;
	if (broad.length > 0)
		return { kind: "noScope", message: `${quoted(broad)} is broad: name ${EXAMPLES} in it.` };
	if (subjects.length > 0) return undefined;
	return { kind: "noScope", message: `It does not say what it is about: name ${EXAMPLES}.` };
}

function unconcern({ actions, hasConcern }: PromptFacts): Issue | undefined {
	if (hasConcern || !actions.some((action) => JUDGING.has(action))) return undefined;
	const message = "It does not say what matters: security, correctness, performance, or readability?";
	return { kind: "noConcern", message };
}

function looseness({ actions, hasConstraint, places }: PromptFacts): Issue | undefined {
	if (hasConstraint || places.length > 0 || !actions.some((action) => MAKING.has(action))) return undefined;
	return {
		kind: "noConstraint",
		message: "It does not say how to do it: with what, where, or by which rules.",
	};
}

function questionOf(
	{ subjects, places, names, broad }: PromptFacts,
	issues: readonly Issue[],
): string | undefined {
	const lacks = (kind: IssueKind) => issues.some((issue) => issue.kind === kind);
	const isNamed = subjects.length + places.length + names.length > 0;
	if (lacks("noAction") && isNamed) {
		const what = [...subjects.map(({ text }) => text), ...places, ...names].slice(0, 3);
		return `What should be done with ${quoted(what)}?`;
	}
	if (lacks("noAction")) return "What should be done, and with what?";
	if (!isNamed && (lacks("noScope") || lacks("vague"))) {
		const which = broad.length > 0 ? `Which ${broad[0]}` : "What is meant";
		return `${which}: ${EXAMPLES}?`;
	}
	return undefined;
}

function quoted(words: readonly string[]): string {
	return words.map((word) => `“${word}”`).join(" and ");
}
