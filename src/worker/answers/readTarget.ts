import { readPath, splitPlace } from "../../core/knowledge/citation.ts";
import type { Place } from "../../core/knowledge/place.ts";
import { filePathOf, uriOf } from "../files/fileUri.ts";

/** What somebody asks to read. */
export interface ReadTarget {
	/** An IRI, a path, a `file:` URI in the spelling of the index, or a label. */
	readonly name: string;
	readonly lines?: Place;
}

/** What a text may mean: as it stands, or with lines at its end. Brackets of a citation or an IRI do not count. */
export function targetsOf(text: string): ReadTarget[] {
	const bare = text.trim().replace(/^\[(.*)\]$|^<(.*)>$/s, "$1$2");
	const whole = spellingsOf(bare).map((name) => ({ name }));
	const parts = partsOf(bare);
	// What brackets cite are lines of a file: another one may be named like that.
	return text.trim().startsWith("[") ? [...parts, ...whole] : [...whole, ...parts];
}

function partsOf(text: string): ReadTarget[] {
	const named = splitPlace(text);
	if (!named) return [];
	const { path, lines } = named;
	const start = Math.max(1, lines.start);
	const place = { ...lines, start, end: Math.max(start, lines.end) };
	return spellingsOf(path).map((name) => ({ name, lines: place }));
}

/** As it stands, and as citations spell it. */
function spellingsOf(name: string): string[] {
	return [...new Set([name, readPath(name)])].map(canonical);
}

function canonical(name: string): string {
	const path = filePathOf(name);
	return path === undefined ? name.replace(/^(?:\.\/)+/, "") : uriOf(path);
}
