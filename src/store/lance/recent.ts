/** What is remembered; a question asks again for what its legs have just found. */
const REMEMBERED = 5000;

/** What was set last, by number. */
export interface Recent<Value> {
	get(key: number): Value | undefined;
	set(key: number, value: Value): void;
}

/** Forgets by halves: to look for the oldest of a map, where many were deleted, takes longer than a search. */
export function createRecent<Value>(): Recent<Value> {
	let [newer, older] = [new Map<number, Value>(), new Map<number, Value>()];
	return {
		get: (key) => newer.get(key) ?? older.get(key),
		set: (key, value) => {
			if (newer.size >= REMEMBERED / 2 && !newer.has(key)) [newer, older] = [new Map(), newer];
			newer.set(key, value);
		},
	};
}
