import { createHash } from "node:crypto";
import { Failure } from "../../base/failure.ts";
import { isGone, readRegularFile } from "../../base/files/file.ts";
import { uriOfPath } from "../../base/files/paths.ts";
import {
	LAST_LINE,
	type LineRange,
	type Place,
	type PlaceOf,
	readPath,
	splitPlace,
} from "../../core/knowledge/citation.ts";
import type { DocumentPart, DocumentRecord } from "../../core/knowledge/document.ts";
import type { ReadPart, ReadQuery } from "../../core/knowledge/knowledge.ts";
import { decodeText } from "../../knowledge/passages/decodeText.ts";
import { splitLines } from "../../knowledge/passages/source.ts";
import type { DocumentReads, StoredPassage } from "../../store/port/store.ts";
import { MAX_BYTES, reasonOf } from "../files/refusal.ts";
import { filePathOf } from "../files/sources.ts";
import { isInLines } from "../policy/splitStatements.ts";

const DEFAULT_CHARACTERS = 20_000;

const MOST_ALIASES = 10;

const HIDDEN = "(hidden by policy)";

export interface ReaderPorts {
	readonly store: DocumentReads;
	readonly pathOf: (uri: string) => string;
	readonly placeOf: PlaceOf;
	/** `undefined` if no rule hides parts of the file. */
	readonly hiddenLines: (uri: string) => Promise<readonly LineRange[] | undefined>;
	readonly aliasesOf: (id: string, signal: AbortSignal) => Promise<readonly string[]>;
	readonly suggest: (name: string, signal: AbortSignal) => Promise<string[]>;
}

interface ReadTarget {
	/** An IRI, a path, a `file:` URI in the spelling of the index, or a label. */
	readonly name: string;
	readonly lines?: Place;
}

/** Reads a resource or an indexed file. Never opens other files, because the target is untrusted. */
export function createReader(ports: ReaderPorts) {
	return async ({ target, maxCharacters = DEFAULT_CHARACTERS }: ReadQuery, signal: AbortSignal) => {
		await ports.store.refresh();
		const targets = targetsOf(target);
		for (const candidate of targets) {
			const parts = await readTarget(candidate, ports, signal);
			if (parts.length > 0) return { ...cutParts(parts, maxCharacters), links: [], suggestions: [] };
		}
		// A candidate with `lines` has a name without line numbers, which is better for suggestions.
		const named = targets.find(({ lines }) => lines !== undefined) ?? targets[0];
		const suggestions = await ports.suggest(named?.name ?? target, signal);
		return { parts: [], totalCharacters: 0, truncated: false, links: [], suggestions };
	};
}

async function readTarget({ name, lines: asked }: ReadTarget, ports: ReaderPorts, signal: AbortSignal) {
	const { store, pathOf, placeOf } = ports;
	const documents = store.documents();
	const uri = documents.has(name) ? name : documents.keys().find((one) => pathOf(one) === name);
	const record = uri === undefined ? undefined : documents.get(uri);
	if (record) return readFile(record, asked, ports);
	if (asked) return [];
	const about = await passagesOfThing(name, ports, signal);
	const passages = about.length > 0 ? about : await passagesLabelled(name, store, signal);
	return passages.map(({ uri, lines, title, text }) => {
		return { uri, path: pathOf(uri), lines: placeOf(uri, lines), title, text };
	});
}

async function passagesOfThing(id: string, { store, aliasesOf }: ReaderPorts, signal: AbortSignal) {
	const own = await store.passagesAbout(id);
	if (own.length === 0) return [];
	const aliases = (await aliasesOf(id, signal)).slice(0, MOST_ALIASES);
	const others = await Promise.all(aliases.map((alias) => store.passagesAbout(alias)));
	return [...own, ...others.flat()];
}

async function passagesLabelled(label: string, store: DocumentReads, signal: AbortSignal) {
	const passages = new Map<string, StoredPassage>();
	for (const { uri, resource } of await store.resourcesLabelled(label)) {
		signal.throwIfAborted();
		for (const passage of await passagesOf(resource.id, uri, store)) passages.set(passage.id, passage);
	}
	return [...passages.values()];
}

/** The id of a blank node is valid only in its own document. */
async function passagesOf(id: string, uri: string, store: DocumentReads): Promise<StoredPassage[]> {
	if (!id.startsWith("_:")) return store.passagesAbout(id);
	return (await store.passagesOf(uri)).filter(({ resource }) => resource === id);
}

async function readFile(
	record: DocumentRecord,
	place: Place | undefined,
	{ store, pathOf, placeOf, hiddenLines }: ReaderPorts,
): Promise<ReadPart[]> {
	const { uri, state, parts = [] } = record;
	const path = pathOf(uri);
	if (state.kind !== "indexed")
		throw new Failure("NOT_FOUND", `${path} is not in the index: ${state.reason}.`);
	const range = place && linesOf(parts, place);
	if (place && !range) return [];
	const hidden = await hiddenLines(uri);
	const extracted = await store.extractedText(uri);
	const lines = splitLines(extracted ?? textOf(record, path, hidden));
	const start = Math.min(range?.start ?? 1, lines.length);
	const end = Math.min(range?.end ?? lines.length, lines.length);
	// The title of the document may contain a hidden value.
	const title = hidden?.length ? path : record.title;
	return byPart(parts, { start, end }).map((each) => {
		const shown = lines.slice(each.start - 1, each.end);
		const texts = shown.map((line) => (hidden && isInLines(line.lines, hidden) ? HIDDEN : line.text));
		return { uri, path, lines: placeOf(uri, each), title, text: texts.join("\n") };
	});
}

function textOf(record: DocumentRecord, path: string, hidden: readonly LineRange[] | undefined): string {
	const bytes = bytesOf(record.uri, path);
	// Hidden lines are known only for the indexed content: after a change of the file, they may have moved.
	if (hidden && createHash("sha256").update(bytes).digest("hex") !== record.hash)
		throw new Failure(
			"NOT_FOUND",
			`${path} changed after it was indexed, and a policy hides parts of it. Ask again in a moment.`,
		);
	return decodeText(bytes) ?? "";
}

function bytesOf(uri: string, path: string): Uint8Array {
	try {
		return readRegularFile(filePathOf(uri) ?? "", MAX_BYTES).bytes;
	} catch (cause) {
		const reason = isGone(cause) ? "was deleted after it was indexed" : reasonOf(cause);
		throw new Failure("NOT_FOUND", `${path} ${reason}. Run "Copilot-LD: Index Workspace".`, { cause });
	}
}

/**
 * Returns all readings of a target: `a.md:3` may be a file of that name, or line 3 of `a.md`. Ignores the
 * brackets around a citation or an IRI.
 */
export function targetsOf(text: string): ReadTarget[] {
	const bare = text.trim().replace(/^\[(.*)\]$|^<(.*)>$/s, "$1$2");
	const whole = spellingsOf(bare).map((name) => ({ name }));
	const parts = partsOf(bare);
	// In a citation, `a.md:3` more likely means line 3 of `a.md` than a file of that name.
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

/** Returns a name as written, and with the escapes of citations decoded. */
function spellingsOf(name: string): string[] {
	return [...new Set([name, readPath(name)])].map(canonical);
}

function canonical(name: string): string {
	const path = filePathOf(name);
	return path === undefined ? name.replace(/^(?:\.\/)+/, "") : uriOfPath(path);
}

/** Limits the total number of characters. Cuts the last part after a whole line, so its line range is exact. */
function cutParts(parts: readonly ReadPart[], maxCharacters: number) {
	const totalCharacters = parts.reduce((sum, { text }) => sum + text.length, 0);
	if (totalCharacters <= maxCharacters) return { parts, totalCharacters, truncated: false };
	const shown: ReadPart[] = [];
	let left = maxCharacters;
	for (const part of parts) {
		if (left <= 0) break;
		const cut = cutPart(part, left);
		shown.push(cut);
		left -= cut.text.length;
		if (cut !== part) break;
	}
	return { parts: shown, totalCharacters, truncated: true };
}

function cutPart(part: ReadPart, maxCharacters: number): ReadPart {
	if (part.text.length <= maxCharacters) return part;
	const lastLine = part.text.lastIndexOf("\n", maxCharacters);
	const text = part.text.slice(0, lastLine > 0 ? lastLine : maxCharacters);
	const { start, end } = part.lines;
	const height = text.split("\n").length;
	return { ...part, text, lines: { start, end: Math.min(end, start + height - 1) } };
}

/** Converts lines of extracted text to lines of the page, slide or sheet in which they begin. */
export function placeIn(parts: readonly DocumentPart[], lines: LineRange): Place {
	const part = parts.findLast(({ line }) => line <= lines.start);
	if (!part) return lines;
	const { name, columns, line, first = 1 } = part;
	const last = Math.min(lines.end, line + part.lines - 1);
	if (columns === undefined && lines.start === line && last === line + part.lines - 1)
		return { part: name, start: 1, end: LAST_LINE };
	const by = first - line;
	return { part: name, ...(columns && { columns }), start: lines.start + by, end: last + by };
}

/** Converts a place to lines of the extracted text; `undefined` if the document has no such part. */
export function linesOf(parts: readonly DocumentPart[], place: Place): LineRange | undefined {
	if (place.part === undefined) return place;
	const named = parts.filter(({ name, columns }) => name === place.part && !columns === !place.columns);
	// A sheet with a large gap between two rows is divided into several parts of the same name.
	const part = named.findLast(({ first = 1 }) => first <= place.start) ?? named[0];
	if (!part) return undefined;
	const { line, lines, first = 1 } = part;
	const clamp = (at: number) => Math.max(line, Math.min(at - first + line, line + lines - 1));
	return { start: clamp(place.start), end: clamp(place.end) };
}

function byPart(parts: readonly DocumentPart[], { start, end }: LineRange): LineRange[] {
	const touched = parts
		.map(({ line, lines }) => ({ start: Math.max(start, line), end: Math.min(end, line + lines - 1) }))
		.filter((range) => range.start <= range.end);
	return parts.length === 0 ? [{ start, end }] : touched;
}
