/** Makes something when it is first wanted; a making that failed is tried again. */
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

/** Methods of an object that their first call makes, or loads. */
export function lateMethods<
	Name extends string,
	Made extends Record<Name, (...given: never[]) => Promise<unknown>>,
>(make: () => Promise<Made>, ...names: readonly Name[]): { readonly [Each in Name]: Made[Each] } {
	const late = names.map((name) => [name, async (...given: never[]) => (await make())[name](...given)]);
	return Object.fromEntries(late);
}
