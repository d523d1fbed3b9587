/** Hands numbers out, from 1: the one that was given back last, or the next. */
export interface Numbers {
	/** How many are handed out. */
	readonly size: number;
	take(): number;
	giveBack(number: number): void;
}

export function createNumbers(): Numbers {
	const free: number[] = [];
	let last = 0;
	return {
		get size() {
			return last - free.length;
		},
		take: () => free.pop() ?? ++last,
		giveBack: (number) => void free.push(number),
	};
}
