import { constructFromEvents, EVENT_ID, type Event, parseEvents } from "js-yaml";
import type { LocatedYaml } from "./locatedYaml.ts";

/**
 * Reads YAML as most files have it several times faster: names of letters and digits, no anchors, no tags, one document.
 * `undefined` for any other, and for what is wrong: whoever knows all of YAML says where.
 */
export function readPlainYaml(text: string): Omit<LocatedYaml, "mistake"> | undefined {
	if (AMBIGUOUS.test(text)) return undefined;
	try {
		const events = parseEvents(text, { maxDepth: 50 });
		if (!events.every(isPlain)) return undefined;
		const root = treeOf(events, text);
		const [value, ...others] = constructFromEvents(events, { source: text });
		if (!root || others.length > 0) return undefined;
		return { value: value ?? undefined, lineOf: (path) => lineAt(text, offsetOf(root, path)) };
	} catch {
		return undefined;
	}
}

/** What readers of YAML take in different ways: tabs, a lone carriage return, and numbers beyond all. */
const AMBIGUOUS = /\t|\r(?!\n)|\de\+?\d{3}/i;

function isPlain(event: Event): boolean {
	switch (event.type) {
		case EVENT_ID.ALIAS:
			return false;
		case EVENT_ID.DOCUMENT:
			return event.directives.length === 0;
		case EVENT_ID.POP:
			return true;
		default:
			return event.anchorStart < 0 && event.tagStart < 0;
	}
}

/** Begins a part. */
type Content = Exclude<
	Event,
	{ readonly type: typeof EVENT_ID.DOCUMENT | typeof EVENT_ID.ALIAS | typeof EVENT_ID.POP }
>;

/** A part of the text: what is in it by names, or by numbers from 0. */
interface Part {
	readonly offset: number;
	readonly inside: Map<string, Part>;
	/** The name that the next part has, in a mapping. */
	next?: { readonly name: string; readonly offset: number } | undefined;
	readonly isMapping: boolean;
}

/** `undefined` where a name may be read in two ways, or an item is nowhere. */
function treeOf(events: readonly Event[], text: string): Part | undefined {
	const root = partAt(0, false);
	const open: Part[] = [];
	return events.every((event) => isPlaced(event, { root, open, text })) ? root.inside.get("0") : undefined;
}

interface Growing {
	readonly root: Part;
	/** Those that more can be in, the innermost last. */
	readonly open: Part[];
	readonly text: string;
}

function isPlaced(event: Event, { root, open, text }: Growing): boolean {
	if (event.type === EVENT_ID.POP) return open.pop() !== undefined;
	if (event.type === EVENT_ID.DOCUMENT) return open.push(root) > 0;
	const around = open.at(-1);
	if (!around || event.type === EVENT_ID.ALIAS) return false;
	if (!around.isMapping || around.next) return isPut(around, event, open);
	around.next = nameAt(event, text);
	return around.next !== undefined && !around.inside.has(around.next.name);
}

function isPut(around: Part, event: Content, open: Part[]): boolean {
	const { name, offset } = around.next ?? { name: String(around.inside.size), offset: startOf(event) };
	const part = partAt(offset, event.type === EVENT_ID.MAPPING);
	around.inside.set(name, part);
	around.next = undefined;
	if (event.type !== EVENT_ID.SCALAR) open.push(part);
	return offset >= 0;
}

function partAt(offset: number, isMapping: boolean): Part {
	return { offset, isMapping, inside: new Map() };
}

/** Negative where there is nothing. */
function startOf(event: Content): number {
	return event.type === EVENT_ID.SCALAR ? event.valueStart : event.start;
}

/** What is neither empty, a flag nor a number in any version. */
function nameAt(event: Content, text: string): Part["next"] {
	if (event.type !== EVENT_ID.SCALAR) return undefined;
	const name = text.slice(event.valueStart, event.valueEnd);
	const isPlain = /^[A-Za-z_][\w .-]*$/.test(name) && !/^(?:null|true|false|yes|no|on|off|y|n)$/i.test(name);
	return isPlain ? { name, offset: startOf(event) } : undefined;
}

function offsetOf(root: Part, path: readonly PropertyKey[]): number {
	let part = root;
	for (const step of path) {
		const next = part.inside.get(String(step));
		if (!next) break;
		part = next;
	}
	return part.offset;
}

function lineAt(text: string, offset: number): number {
	let line = 1;
	for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++;
	return line;
}
