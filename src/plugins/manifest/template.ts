const PLACE = /\{\{\s*([A-Za-z]\w*)\s*\}\}/g;

/** The names that a text has places for. */
export function placesIn(text: string): string[] {
	return [...new Set([...text.matchAll(PLACE)].map(([, name = ""]) => name))];
}

/** The text with what is given; what is given has no places of its own. */
export function fillPlaces(text: string, given: ReadonlyMap<string, unknown>): string {
	return text.replace(PLACE, (_, name: string) => {
		const value = given.get(name);
		if (value === undefined) return "";
		return typeof value === "string" ? value : JSON.stringify(value);
	});
}
