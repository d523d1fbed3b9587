/** Streams text, and drops what is repeated after the stream was cut. */
export interface RepeatFilter {
	/** The new part of the chunk; `begins` if it starts another answer than the one cut off. */
	read(chunk: string): { readonly text: string; readonly begins: boolean };
	/** The next text is a new start; nothing before it will be repeated. */
	mark(): void;
	/** The text since the last mark is about to come again. */
	rewind(): void;
}

export function createRepeatFilter(): RepeatFilter {
	/** Shown since the last mark. */
	let shown = "";
	/** Received since the last rewind; `undefined` while nothing is being repeated. */
	let again: string | undefined;
	const readAgain = (text: string) => {
		again = text;
		if (shown.startsWith(text)) return { text: "", begins: false };
		const begins = !text.startsWith(shown);
		const fresh = begins ? text : text.slice(shown.length);
		shown = text;
		again = undefined;
		return { text: fresh, begins };
	};
	return {
		read: (chunk) => {
			if (again !== undefined) return readAgain(again + chunk);
			shown += chunk;
			return { text: chunk, begins: false };
		},
		mark: () => {
			shown = "";
			again = undefined;
		},
		rewind: () => {
			again = "";
		},
	};
}
