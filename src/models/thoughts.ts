interface Said {
	readonly kind: "text" | "thought";
	readonly text: string;
}

const OPENED = /^\s*<(think|thinking|reasoning)>/;
/** What may still become an opening tag. */
const OPENING = /^\s*(?:<[a-z]{0,9})?$/;

/**
 * Splits an answer that comes in pieces into reasoning and answer: many servers leave the reasoning of a model in its
 * answer, between tags at the beginning.
 */
function createTaggedThoughts() {
	let held = "";
	let closing = "";
	let state: keyof typeof settle = "begins";
	const take = (kind: Said["kind"], length: number): Said[] => {
		const text = held.slice(0, length);
		held = held.slice(length);
		return text === "" ? [] : [{ kind, text }];
	};
	const goOn = (next: keyof typeof settle, isLast: boolean): Said[] => {
		state = next;
		return settle[next](isLast);
	};
	const settle = {
		begins: (isLast: boolean): Said[] => {
			if (!isLast && OPENING.test(held)) return [];
			const [tag, name] = OPENED.exec(held) ?? [];
			if (tag === undefined) return goOn("answers", isLast);
			closing = `</${name}>`;
			held = held.slice(tag.length);
			return goOn("thinks", isLast);
		},
		thinks: (isLast: boolean): Said[] => {
			const end = held.indexOf(closing);
			if (end < 0) return take("thought", isLast ? held.length : settledLength(held, closing));
			const thought = take("thought", end);
			held = held.slice(closing.length);
			return [...thought, ...goOn("thought", isLast)];
		},
		thought: (isLast: boolean): Said[] => {
			held = held.trimStart();
			return held === "" ? [] : goOn("answers", isLast);
		},
		answers: (_isLast: boolean): Said[] => take("text", held.length),
	};
	return {
		add: (piece: string): Said[] => {
			held += piece;
			return settle[state](false);
		},
		rest: (): Said[] => settle[state](true),
		isThinking: () => state === "thinks",
	};
}

const [USUAL, USUAL_END] = ["<think>", "</think>"];

interface Thinking {
	/** Whether the model is known to begin with reasoning, of which only the end is marked. */
	readonly beginsSo: boolean;
	/** The answer showed that, when its reasoning was taken for text. */
	onStrayEnd(): void;
}

/** The same for servers that leave out the opening tag too, because it is the end of their prompt. */
export function createThoughts({ beginsSo, onStrayEnd }: Thinking) {
	let isOpened = beginsSo;
	let thoughts = createTaggedThoughts();
	let all = "";
	if (isOpened) thoughts.add(USUAL);
	return {
		/** Reasoning comes in a field of its own. */
		areApart: () => {
			if (isOpened && all === "") thoughts = createTaggedThoughts();
			isOpened &&= all !== "";
		},
		add: (piece: string): Said[] => {
			all += piece;
			if (!isOpened && piece.includes(">") && all.includes(USUAL_END) && !all.includes(USUAL)) onStrayEnd();
			return thoughts.add(piece);
		},
		/** What looked like reasoning and did not end was the answer. */
		rest: (): Said[] => (isOpened && thoughts.isThinking() ? [{ kind: "text", text: all }] : thoughts.rest()),
	};
}

/** Length of what cannot be the beginning of the closing tag. */
function settledLength(text: string, closing: string): number {
	const at = text.lastIndexOf("<");
	return at >= 0 && closing.startsWith(text.slice(at)) ? at : text.length;
}
