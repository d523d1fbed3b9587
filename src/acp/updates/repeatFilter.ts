/** Streams text, and drops what is repeated after the stream was cut. */
export function createRepeatFilter() {
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
		/** The new part of the chunk; `begins` if it starts another answer than the one cut off. */
		read: (chunk: string) => {
			if (again !== undefined) return readAgain(again + chunk);
			shown += chunk;
			return { text: chunk, begins: false };
		},
		/** The next text is a new start; nothing before it will be repeated. */
		mark: () => {
			shown = "";
			again = undefined;
		},
		/** The text since the last mark is about to come again. */
		rewind: () => {
			again = "";
		},
	};
}
