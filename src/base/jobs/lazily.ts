/** Creates a value on first use; retries after a failure. */
export function once<T>(make: () => Promise<T>): { get(): Promise<T>; peek(): Promise<T> | undefined } {
	let made: Promise<T> | undefined;
	return {
		get: () => {
			made ??= make().catch((thrown: unknown) => {
				made = undefined;
				throw thrown;
			});
			return made;
		},
		peek: () => made,
	};
}

/** Only the methods that return promises: these can create the object at the first call. */
export type Lazy<Made> = {
	readonly [Name in keyof Made as Made[Name] extends (...given: never[]) => Promise<unknown>
		? Name
		: never]: Made[Name];
};

/** Proxy for an object that the first method call creates. `own` has members that exist already. Spreading throws. */
export function lazily<Made extends object, Own extends object = object>(
	make: () => Promise<Made>,
	own = {} as Own,
): Lazy<Made> & Own {
	const made = once<object>(make);
	const handler: ProxyHandler<Own> = {
		get: (members, name) => {
			// `then` must be missing, or `await` would treat the proxy as a promise.
			if (name in members || name === "then" || typeof name === "symbol") return Reflect.get(members, name);
			return async (...given: unknown[]) => {
				const object = await made.get();
				return Reflect.get(object, name).apply(object, given);
			};
		},
		ownKeys: () => {
			throw new TypeError("A lazy object cannot be spread: pass it as it is.");
		},
	};
	return new Proxy(own, handler) as Lazy<Made> & Own;
}

/** Caches the last result while all parts of its key stay the same. Forgets a rejected promise. */
export function createLast<Made>() {
	let last: { readonly key: readonly unknown[]; readonly made: Made } | undefined;
	return (key: readonly unknown[], make: () => Made): Made => {
		if (last && key.every((part, at) => part === last?.key[at])) return last.made;
		const made = make();
		const now = { key, made };
		last = now;
		if (made instanceof Promise)
			made.catch(() => {
				if (last === now) last = undefined;
			});
		return made;
	};
}

/** Like `createLast`, with a key that is the arguments. */
export function rememberLast<Key extends readonly unknown[], Made>(make: (...key: Key) => Made) {
	const last = createLast<Made>();
	return (...key: Key): Made => last(key, () => make(...key));
}

/** Like `rememberLast`, separately for each object, until the object is garbage-collected. */
export function rememberFor<Of extends object, Key extends readonly unknown[], Made>(
	make: (of: Of, ...key: Key) => Made,
) {
	const known = new WeakMap<Of, (...key: Key) => Made>();
	return (of: Of, ...key: Key): Made => {
		const last = known.get(of) ?? rememberLast((...now: Key) => make(of, ...now));
		known.set(of, last);
		return last(...key);
	};
}

/** Caches results of a pure function by key. Clears the cache when it holds `most` results. */
export function memoize<Key, Value>(compute: (key: Key) => Value, most = Number.POSITIVE_INFINITY) {
	const known = new Map<Key, Value>();
	return (key: Key): Value => {
		const before = known.get(key);
		if (before !== undefined || known.has(key)) return before as Value;
		if (known.size >= most) known.clear();
		const value = compute(key);
		known.set(key, value);
		return value;
	};
}
