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
