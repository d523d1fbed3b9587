/** Map that drops its oldest entries while their total weight exceeds `most`. Always keeps the newest entry. */
export function createBoundedMap<Key, Value>(
	most: number,
	weigh: (value: Value, key: Key) => number = () => 1,
) {
	const kept = new Map<Key, Value>();
	let weight = 0;
	const drop = (key: Key) => {
		const value = kept.get(key);
		if (value !== undefined && kept.delete(key)) weight -= weigh(value, key);
	};
	return {
		get: (key: Key) => kept.get(key),
		/** Makes an existing entry the newest entry. */
		set: (key: Key, value: Value) => {
			drop(key);
			kept.set(key, value);
			weight += weigh(value, key);
			for (const oldest of kept.keys()) {
				if (weight <= most || oldest === key) break;
				drop(oldest);
			}
		},
		delete: drop,
	};
}
