/** Characters of the end of an answer that are looked at, and how many new ones come between two looks. */
const WINDOW = 8000;
const EVERY = 200;
/** The same again, this often and for this long, is no table, list or ornament that a reader would want whole. */
const TIMES = 5;
const CHARACTERS = 1000;

/** Notices that an answer, which comes in pieces, only says the same again and again. */
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

/** By the failure function of Knuth, Morris and Pratt over the text from its end: it has the smallest period of each end. */
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
