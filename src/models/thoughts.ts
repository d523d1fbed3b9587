interface Said {
	readonly kind: "text" | "thought";
	readonly text: string;
}

const OPENED = /^\s*<(think|thinking|reasoning)>/;
/** What may still become an opening tag. */
const OPENING = /^\s*(?:<[a-z]{0,9})?$/;
const [USUAL, USUAL_END] = ["<think>", "</think>"];

interface Thinking {
	/** Whether the model is known to begin with reasoning, of which only the end is marked. */
	readonly beginsSo: boolean;
	/** The answer showed that, when its reasoning was taken for text. */
	onStrayEnd(): void;
}

/**
 * Splits an answer that comes in pieces into reasoning and answer: many servers leave the reasoning of a model in its
 * answer, between tags at the beginning. Some omit the opening tag, because it is the end of their prompt.
 */
export function createThoughts({ beginsSo, onStrayEnd }: Thinking) {
	let state: "begins" | "thinks" | "thought" | "answers" = beginsSo ? "thinks" : "begins";
	let isOpened = beginsSo;
	let closing = USUAL_END;
	let held = "";
	let all = "";
	const take = (kind: Said["kind"], length: number): Said[] => {
		const text = held.slice(0, length);
		held = held.slice(length);
		return text === "" ? [] : [{ kind, text }];
	};
	const begin = (isLast: boolean) => {
		if (!isLast && OPENING.test(held)) return;
		const [tag, name] = OPENED.exec(held) ?? [];
		state = tag === undefined ? "answers" : "thinks";
		if (tag === undefined) return;
		closing = `</${name}>`;
		held = held.slice(tag.length);
	};
	const think = (isLast: boolean): Said[] => {
		const end = held.indexOf(closing);
		if (end < 0) return take("thought", isLast ? held.length : settledLength(held, closing));
		const thought = take("thought", end);
		held = held.slice(closing.length);
		state = "thought";
		return thought;
	};
	const skipSpace = () => {
		held = held.trimStart();
		if (held !== "") state = "answers";
	};
	const settle = (isLast: boolean): Said[] => {
		if (state === "begins") begin(isLast);
		const said = state === "thinks" ? think(isLast) : [];
		if (state === "thought") skipSpace();
		return state === "answers" ? said.concat(take("text", held.length)) : said;
	};
	return {
		/** Reasoning comes in a field of its own. */
		areApart: () => {
			if (isOpened && all === "") [isOpened, state] = [false, "begins"];
		},
		add: (piece: string): Said[] => {
			all += piece;
			held += piece;
			if (!isOpened && piece.includes(">") && all.includes(USUAL_END) && !all.includes(USUAL)) onStrayEnd();
			return settle(false);
		},
		/** What looked like reasoning and did not end was the answer. */
		rest: (): Said[] => (isOpened && state === "thinks" ? [{ kind: "text", text: all }] : settle(true)),
	};
}

/** Length of what cannot be the beginning of the closing tag. */
function settledLength(text: string, closing: string): number {
	const at = text.lastIndexOf("<");
	return at >= 0 && closing.startsWith(text.slice(at)) ? at : text.length;
}
