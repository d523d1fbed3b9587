import { isRecord } from "../../base/values.ts";

/** Placeholder for the plugin's folder in a program's arguments, unless a parameter has this name. */
export const OWN_FOLDER = "folder";
const PLACE = /\{\{\s*([A-Za-z]\w*)\s*\}\}/g;
const ONE_PLACE = new RegExp(`^${PLACE.source}$`);

type Given = ReadonlyMap<string, unknown>;

export function placesIn(value: unknown): string[] {
	const names = textsIn(value).flatMap((text) => [...text.matchAll(PLACE)].map(([, name = ""]) => name));
	return [...new Set(names)];
}

/** Fills placeholders in a text. Inserted values are not searched for placeholders. */
export function fillPlaces(text: string, given: Given, spell: (text: string) => string = String): string {
	return text.replace(PLACE, (_, name: string) => {
		const value = given.get(name);
		if (value === undefined) return "";
		return spell(typeof value === "string" ? value : JSON.stringify(value));
	});
}

/** Fills placeholders in a value. A text that is just a placeholder becomes the value, or is removed. */
export function fillValue(value: unknown, given: Given): unknown {
	if (typeof value === "string") {
		const [, name] = ONE_PLACE.exec(value) ?? [];
		return name === undefined ? fillPlaces(value, given) : given.get(name);
	}
	if (Array.isArray(value))
		return value.map((item) => fillValue(item, given)).filter((item) => item !== undefined);
	if (!isRecord(value)) return value;
	const entries = Object.entries(value).map(([name, item]) => [name, fillValue(item, given)] as const);
	return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

function textsIn(value: unknown): string[] {
	if (typeof value === "string") return [value];
	return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
