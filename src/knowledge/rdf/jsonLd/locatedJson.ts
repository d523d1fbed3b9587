import type { Problem } from "../../../core/knowledge/document.ts";
import type { LineRange } from "../../../core/knowledge/source.ts";
import {
	closes,
	createJsonScan,
	expect,
	here,
	type JsonScan,
	JsonSyntaxError,
	peek,
	readScalar,
	readString,
	report,
	since,
} from "./jsonScan.ts";

/** Under this symbol, which no processing of JSON sees, an object carries its place. */
const PLACE: unique symbol = Symbol("place");

export interface Place {
	readonly lines: LineRange;
	/** For every key, the lines from the key to the end of its value. */
	readonly members: ReadonlyMap<string, LineRange>;
}

export interface LocatedJson {
	/** Absent where the text cannot be read as JSON. */
	readonly value?: unknown;
	/** As far as it was read. */
	readonly lines: LineRange;
	readonly problems: readonly Problem[];
}

/** Deeper text is refused: processors of JSON-LD take more than linear time on it. */
const MAX_DEPTH = 100;

/** Reads JSON like `JSON.parse`, but over comments, control characters and trailing commas, and knows the lines. */
export function readLocatedJson(text: string): LocatedJson {
	const scan = createJsonScan(text);
	try {
		const value = readValue(scan, 0);
		if (peek(scan) !== "") report(scan, "There is more text after the end of the JSON; it is not read.");
		return { value, lines: since(scan, 1), problems: [...scan.problems.values()] };
	} catch (thrown) {
		if (!(thrown instanceof JsonSyntaxError)) throw thrown;
		report(scan, thrown.message);
		return { lines: since(scan, 1), problems: [...scan.problems.values()] };
	}
}

/** Where an object of the text stands; nothing for other values. */
export function placeOf(value: unknown): Place | undefined {
	return typeof value === "object" && value !== null && PLACE in value ? (value[PLACE] as Place) : undefined;
}

function readValue(scan: JsonScan, depth: number): unknown {
	if (depth > MAX_DEPTH)
		throw new JsonSyntaxError(`JSON nested deeper than ${MAX_DEPTH} levels is not read.`);
	switch (peek(scan)) {
		case "{":
			return readObject(scan, depth);
		case "[":
			return readArray(scan, depth);
		case '"':
			return readString(scan);
		default:
			return readScalar(scan);
	}
}

function readArray(scan: JsonScan, depth: number): unknown[] {
	const items: unknown[] = [];
	expect(scan, "[");
	while (!closes(scan, "]", items.length > 0)) items.push(readValue(scan, depth + 1));
	return items;
}

function readObject(scan: JsonScan, depth: number): object {
	const members = new Map<string, LineRange>();
	const object: Record<string | symbol, unknown> = {};
	const { start } = here(scan);
	expect(scan, "{");
	while (!closes(scan, "}", members.size > 0)) {
		const keyLine = here(scan).start;
		const key = readString(scan);
		expect(scan, ":");
		const value = readValue(scan, depth + 1);
		members.set(key, since(scan, keyLine));
		if (key === "__proto__") report(scan, 'The key "__proto__" is not read.');
		else object[key] = value;
	}
	const place: Place = { lines: since(scan, start), members };
	object[PLACE] = place;
	return object;
}
