import { visibleText } from "../base/text/visibleText.ts";
import type { ModelPart } from "../core/agent/agentEvent.ts";
import { uncited } from "../core/knowledge/citation.ts";
import type { AnswerLimits } from "./chatBody.ts";
import { type Asked, ModelTrouble } from "./troubleOf.ts";

interface Bounds {
	readonly asked: Asked;
	readonly limits: AnswerLimits;
}

/** Ends an answer that takes too long or repeats itself. Reports where and why an answer is cut off. */
export async function* boundAnswer(
	open: (signal: AbortSignal) => AsyncGenerator<ModelPart>,
	bounds: Bounds,
	signal: AbortSignal,
): AsyncGenerator<ModelPart> {
	const timeout = AbortSignal.timeout(bounds.limits.seconds * 1000);
	const isRepeated = createRepetitionWatch();
	let said = "";
	const whyCut = (part: ModelPart): Cut | undefined => {
		if (part.kind === "finished") return CUT_BY_SERVER.find((reason) => reason === part.reason);
		if (part.kind !== "text" && part.kind !== "thought") return undefined;
		said = (said + part.text).slice(-SHOWN);
		return isRepeated(part.text) ? "repeated" : undefined;
	};
	const cut = (why: Cut): ModelPart => ({ kind: "notice", isCut: true, text: cutText(why, said, bounds) });
	try {
		for await (const part of open(AbortSignal.any([signal, timeout]))) {
			const why = whyCut(part);
			yield part;
			if (why) return yield cut(why);
		}
	} catch (thrown) {
		signal.throwIfAborted();
		if (!timeout.aborted) throw thrown;
		if (said === "") throw tooSlow(bounds);
		yield cut("late");
	}
}

type Cut = keyof typeof CUTS;

const CUT_BY_SERVER = ["length", "content_filter"] as const;

const CUTS = {
	length: (end, { asked: { steps }, limits: { tokens } }) =>
		`The answer was cut off at its limit (${tokens} tokens), after “… ${end}”. Ask the model to go on, or ${steps.limits}.`,
	late: (end, { asked: { steps }, limits: { seconds } }) =>
		`The answer was stopped at its time limit (${seconds} s), after “… ${end}”. Ask the model to go on, or ${steps.limits}.`,
	repeated: (end) =>
		`The model repeated itself and was stopped, after “… ${end}”. Ask in other words, or choose another model.`,
	content_filter: (end) =>
		`The content filter of the server ended the answer after “… ${end}”. Ask in other words.`,
} satisfies Readonly<Record<string, (end: string, bounds: Bounds) => string>>;

const SHOWN = 60;

function cutText(why: Cut, said: string, bounds: Bounds): string {
	const end = uncited(visibleText(said.replace(/\s+/g, " ").replace(/^\S* /, ""))).trim();
	return CUTS[why](end, bounds);
}

function tooSlow({ asked: { base, model = "", steps }, limits: { seconds } }: Bounds): ModelTrouble {
	const words = `"${model}" on ${base} gave no answer within ${seconds} s. Ask again once it has loaded, or ${steps.limits}.`;
	return new ModelTrouble("silent", words);
}

/** Number of characters at the end of an answer that are checked for repetition. */
const WINDOW = 8000;
const EVERY = 200;
const TIMES = 5;
/** Minimum number of characters of all repetitions; shorter repetitions may be tables, lists or ornaments. */
const CHARACTERS = 1000;

export function createRepetitionWatch() {
	let tail = "";
	let added = 0;
	return (piece: string): boolean => {
		tail = (tail + piece).slice(-WINDOW);
		added += piece.length;
		if (added < EVERY) return false;
		added = 0;
		return endsInRepetition(tail);
	};
}

/** Finds the smallest period of each suffix with the failure function of Knuth, Morris and Pratt. */
function endsInRepetition(text: string): boolean {
	const at = (index: number) => text.charCodeAt(text.length - 1 - index);
	const borders = new Uint16Array(text.length);
	for (let length = 1, border = 0; length < text.length; length++) {
		while (border > 0 && at(length) !== at(border)) border = borders[border - 1] ?? 0;
		if (at(length) === at(border)) border++;
		borders[length] = border;
		const period = length + 1 - border;
		if (length + 1 >= Math.max(CHARACTERS, TIMES * period)) return true;
	}
	return false;
}
