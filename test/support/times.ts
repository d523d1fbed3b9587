export function times<Item>(count: number, make: (at: number) => Item): Item[] {
	return Array.from({ length: count }, (_, at) => make(at));
}
