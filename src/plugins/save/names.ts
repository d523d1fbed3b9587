/** The last word of an IRI, a name or a variable, as the name of a parameter; `undefined` if it has none. */
export function nameIn(text: string): string | undefined {
	return /([A-Za-z]\w{0,30})>?$/.exec(text)?.[1];
}

/** Gives each name once: one that is taken gets a number. */
export function createNames(taken: readonly string[] = []): (wanted: string) => string {
	const names = new Set(taken);
	return (wanted) => {
		let name = wanted;
		for (let count = 2; names.has(name); count++) name = `${wanted}${count}`;
		names.add(name);
		return name;
	};
}
