interface Said {
	readonly kind: "text" | "thought";
	readonly text: string;
}

const OPENED = /^\s*<(think|thinking|reasoning)>/;
const OPENING = /^\s*(?:<[a-z]{0,9})?$/;
const [USUAL, USUAL_END] = ["<think>", "</think>"];

interface Thinking {
	/** Whether the model's answers begin with reasoning without an opening tag. */
	readonly beginsSo: boolean;
	/** Called if the answer turns out to begin with reasoning that was treated as text. */
	onStrayEnd(): void;
}

/**
 * Splits a streamed answer into reasoning and text: many servers leave a model's reasoning in its answer, between
 * tags at the start. Some servers omit the opening tag, because it is the end of their prompt.
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
		/** Called if the server sends reasoning in a separate field. */
		areApart: () => {
			if (isOpened && all === "") [isOpened, state] = [false, "begins"];
		},
		add: (piece: string): Said[] => {
			all += piece;
			held += piece;
			if (!isOpened && piece.includes(">") && all.includes(USUAL_END) && !all.includes(USUAL)) onStrayEnd();
			return settle(false);
		},
		/** Returns the remaining text. Reasoning that never ended was the answer. */
		rest: (): Said[] => (isOpened && state === "thinks" ? [{ kind: "text", text: all }] : settle(true)),
	};
}

/** Length of the text before a possible incomplete closing tag. */
function settledLength(text: string, closing: string): number {
	const at = text.lastIndexOf("<");
	return at >= 0 && closing.startsWith(text.slice(at)) ? at : text.length;
}
