/** What a search does that asks for things when it has found them. */
type Searching<Key, Value, Result> = (
	ask: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
) => Promise<Result>;

interface Round<Key, Value> {
	readonly keys: Set<Key>;
	readonly answer: PromiseWithResolvers<ReadonlyMap<Key, Value>>;
	waiting: number;
}

/**
 * What searches ask that run side by side is answered together: to read many rows takes little longer than few. The
 * answer comes when all have asked, or ended, that began before the first of them asked. Asked again, one waits for nobody.
 */
export function createTogether<Key, Value>(
	read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): <Result>(search: Searching<Key, Value, Result>) => Promise<Result> {
	let open: Round<Key, Value> | undefined;
	return async (search) => {
		open ??= { keys: new Set(), answer: Promise.withResolvers(), waiting: 0 };
		const round = open;
		round.waiting++;
		let isWaitedFor = true;
		const leave = (keys: readonly Key[]) => {
			isWaitedFor = false;
			if (open === round) open = undefined;
			joinIn(round, keys, read);
			return round.answer.promise;
		};
		try {
			return await search(async (keys) => (isWaitedFor ? leave(keys) : read(keys)));
		} finally {
			if (isWaitedFor) leave([]);
		}
	};
}

/** The last one of a round has all read. */
function joinIn<Key, Value>(
	round: Round<Key, Value>,
	keys: readonly Key[],
	read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): void {
	for (const key of keys) round.keys.add(key);
	round.waiting--;
	if (round.waiting === 0) round.answer.resolve(round.keys.size > 0 ? read([...round.keys]) : new Map());
}
