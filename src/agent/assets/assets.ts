import { boundedText } from "../../base/text/visibleText.ts";
import { fieldOf, isRecord, parseJson, textOf } from "../../base/values.ts";
import type { ToolCall } from "../../core/agent/agentEvent.ts";
import {
	ASSET_REF_SCHEMA,
	type AssetRef,
	readAssetRef,
	replaceAssetRefs,
	writeAssetRef,
} from "../../core/agent/assetRef.ts";
import { uncited } from "../../core/knowledge/citation.ts";

interface GivenAsset {
	readonly name: string;
	readonly input?: object;
	readonly text: string;
}

export interface Asset {
	readonly number: number;
	readonly name: string;
	readonly about: string;
	readonly text: string;
	readonly content: unknown;
}

const ABOUT = 120;

export interface Assets {
	add(given: GivenAsset): number;
	all(): readonly Asset[];
	/** Throws an error that tells the model what to do instead. */
	find(number: number): Asset;
}

export type AssetShelf = ReturnType<typeof createAssetShelf>;

interface Kept {
	readonly asset: Asset;
	readonly of: Map<number, Kept>;
}

/** Evicts the oldest results of all sessions first, but never the newest result. */
export function createAssetShelf(bounds = { characters: 16_000_000, count: 1000 }) {
	const kept = new Set<Kept>();
	const sessions = new Map<string, Assets>();
	let characters = 0;
	const drop = (one: Kept) => {
		kept.delete(one);
		one.of.delete(one.asset.number);
		characters -= one.asset.text.length;
	};
	const open = (): Assets => {
		const own = new Map<number, Kept>();
		let count = 0;
		return {
			add: (given) => {
				const one = { asset: assetOf(++count, given), of: own };
				own.set(count, one);
				kept.add(one);
				characters += given.text.length;
				for (const oldest of kept) {
					if (oldest === one || (kept.size <= bounds.count && characters <= bounds.characters)) break;
					drop(oldest);
				}
				return count;
			},
			all: () => [...own.values()].map(({ asset }) => asset),
			find: (number) => {
				const one = own.get(number);
				if (one) return one.asset;
				throw new Error(wordsFor(number, [...own.keys()], count));
			},
		};
	};
	return {
		of: (session: string | undefined) => {
			if (session === undefined) return open();
			const assets = sessions.get(session) ?? open();
			sessions.set(session, assets);
			return assets;
		},
	};
}

function assetOf(number: number, { name, input, text }: GivenAsset): Asset {
	const about = input ? boundedText(JSON.stringify(input), ABOUT) : "";
	let content: unknown;
	return {
		number,
		name,
		about,
		text,
		// Parsed on demand, because few results are ever read again.
		get content() {
			content ??= /^\s*[[{]/.test(text) ? (parseJson(text) ?? text) : text;
			return content;
		},
	};
}

export function withAssetName(text: string, number: number): string {
	return `${text}\n(this result is asset://${number})`;
}

function wordsFor(number: number, there: readonly number[], count: number): string {
	if (number >= 1 && number <= count)
		return `Result ${number} was dropped to make room for newer ones. Make its call again.`;
	const those = there.length === 0 ? "none yet" : there.slice(-20).join(", ");
	return `There is no result ${number} in this session. There are: ${those}. Copy the target from a note.`;
}

export const READ_TOOL = /(?:^|_)read_resource$/;
export const SCHEME = "copilot-ld-result:";
const POINTER = /^copilot-ld-result:(\d+)(?::(\d+)(?:-(\d+))?)?$/;
/** Number of lines returned for a pointer without a last line. */
export const POINTED_LINES = 200;
/** Marks where to break lines of more than 2000 characters, so that pointers can address parts of them. */
const TOO_LONG = /[^\n]{2000}(?=[^\n])/g;

/** Returns the part of an earlier result that a call points to; `undefined` if the call points to no result. */
export function pointedTo({ name, input }: ToolCall, assets: Assets): string | undefined {
	const target = textOf(input, "target");
	if (!READ_TOOL.test(name) || target === undefined) return undefined;
	const ref = target.startsWith("asset:") ? readAssetRef(target) : undefined;
	if (!ref) return target.startsWith(SCHEME) ? linesAt(target, assets) : undefined;
	const { text, content } = assets.find(ref.number);
	if (ref.path.length > 0) return textAt(assets, ref);
	// A JSON tree is returned as an outline, anything else in full.
	return typeof content === "string" ? text : uncited([...linesOf(content, []).take(LINES)].join("\n"));
}

function linesAt(target: string, assets: Assets): string {
	const [, number, from = "1", to] = POINTER.exec(target) ?? [];
	if (number === undefined)
		throw new Error(`There is no result ${target}. Copy the target from the note of a cut result.`);
	const lines = breakLines(assets.find(Number(number)).text).split("\n");
	const first = Math.max(1, Number(from));
	const last = Math.min(lines.length, to === undefined ? first + POINTED_LINES - 1 : Number(to));
	if (first > last) throw new Error(`That result has ${lines.length} lines.`);
	return `Lines ${first}-${last} of ${lines.length}:\n${lines.slice(first - 1, last).join("\n")}`;
}

export function breakLines(text: string): string {
	return text.replace(TOO_LONG, "$&\n");
}

/** Throws an error that lists the available keys if there is no such value. */
function valueAt(assets: Assets, { number, path }: AssetRef): unknown {
	const asset = assets.find(number);
	let value = asset.content;
	for (const [depth, key] of path.entries()) {
		if (!hasEntry(value, key)) throw new Error(missing(asset, path.slice(0, depth), { key, value }));
		value = value[key];
	}
	return value;
}

/** Returns the value as text or JSON. Replaces citation brackets, because nothing in a value counts as cited. */
export function textAt(assets: Assets, ref: AssetRef): string {
	const value = valueAt(assets, ref);
	return uncited(typeof value === "string" ? value : JSON.stringify(value, undefined, 1));
}

function hasEntry(value: unknown, key: string): value is Readonly<Record<string, unknown>> {
	return typeof value === "object" && value !== null && Object.keys(value).includes(key);
}

const SHOWN = 30;

function missing(
	{ number }: Asset,
	above: readonly string[],
	{ key, value }: { readonly key: string; readonly value: unknown },
): string {
	const place = writeAssetRef({ number, path: above });
	return `${place} has no “${key.slice(0, 80)}”: ${entriesOf(value)}.`;
}

function entriesOf(value: unknown): string {
	if (Array.isArray(value))
		return value.length === 0 ? "it is an empty list" : `it is a list; there are 0 to ${value.length - 1}`;
	if (!isRecord(value)) return `it is ${typeWords(value)}, and nothing is in it`;
	const keys = Object.keys(value);
	const more = keys.length > SHOWN ? ` and ${keys.length - SHOWN} more` : "";
	return `there are: ${keys.slice(0, SHOWN).join(", ") || "none"}${more}`;
}

const SHORT = 60;
const ENTRIES = 20;
const LINES = 200;
const DEPTH = 8;

function* linesOf(value: unknown, path: readonly string[]): Generator<string, undefined> {
	const entries = Array.isArray(value) || isRecord(value) ? Object.entries(value) : [];
	const name = path.map((part) => part.replaceAll("/", "%2F")).join("/");
	if (entries.length === 0 || path.length >= DEPTH) {
		const isShort = entries.length === 0 && !(typeof value === "string" && value.length > SHORT);
		yield `${name}: ${isShort ? JSON.stringify(value) : typeWords(value)}`;
		return;
	}
	for (const [key, item] of entries.slice(0, ENTRIES)) yield* linesOf(item, [...path, key]);
	if (entries.length > ENTRIES) yield `${name}: ${typeWords(value)}, of which these are the first ${ENTRIES}`;
}

function typeWords(value: unknown): string {
	if (value === null) return "null";
	if (Array.isArray(value)) return `list of ${value.length}`;
	if (typeof value === "string") return `text of ${value.length} characters`;
	return typeof value === "object" ? `mapping of ${Object.keys(value).length}` : typeof value;
}

const MOST_FILLED = 2_000_000;

export function mayTakeRefs(schema: object): boolean {
	return JSON.stringify(schema).includes(JSON.stringify(ASSET_REF_SCHEMA.pattern));
}

/** Replaces references in an input by their values, if the tool's schema allows references there. */
export function fillRefs(input: unknown, schema: object, assets: Assets): unknown {
	if (!mayTakeRefs(schema)) return input;
	const look = boundedLook(assets);
	const definitions = fieldOf(schema, "$defs");
	const fill = (value: unknown, written: unknown): unknown => {
		// Resolving one `$ref` is enough, because our definitions do not reference each other.
		const name = textOf(written, "$ref");
		const at = name === undefined ? written : fieldOf(definitions, name.replace(/^.*\//, ""));
		if (!isRecord(at)) return value;
		const type = typeBesideRefs(at);
		if (type === undefined) return mapItems(value, at, fill);
		const given = valueFor(value, type, look);
		return given === value ? fill(value, type) : given;
	};
	return fill(input, schema);
}

/** Returns the schema for values other than references; `undefined` if references are not allowed. */
function typeBesideRefs({ anyOf: choices }: Readonly<Record<string, unknown>>): unknown {
	const [type, ...others] = Array.isArray(choices) ? choices : [];
	return others.some((one) => fieldOf(one, "pattern") === ASSET_REF_SCHEMA.pattern) ? type : undefined;
}

function mapItems(
	value: unknown,
	{ items, properties, additionalProperties }: Readonly<Record<string, unknown>>,
	change: (item: unknown, schema: unknown) => unknown,
): unknown {
	if (Array.isArray(value)) return value.map((item) => change(item, items));
	if (!isRecord(value)) return value;
	const schemaOf = (name: string) =>
		isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
	const entries = Object.entries(value).map(([name, item]) => [name, change(item, schemaOf(name))]);
	return Object.fromEntries(entries);
}

/** Limits the total size, because short references may have large values. */
function boundedLook(assets: Assets) {
	let taken = 0;
	const counted = <Value>(value: Value): Value => {
		taken += typeof value === "string" ? value.length : JSON.stringify(value).length;
		if (taken <= MOST_FILLED) return value;
		const words = `the references stand for more than ${MOST_FILLED} characters. Refer to parts of the results.`;
		throw new Error(words);
	};
	return {
		text: (ref: AssetRef) => counted(textAt(assets, ref)),
		value: (ref: AssetRef) => counted(valueAt(assets, ref)),
	};
}

function valueFor(value: unknown, type: unknown, look: ReturnType<typeof boundedLook>): unknown {
	const ref = readAssetRef(value);
	if (ref) return fieldOf(type, "type") === "string" ? look.text(ref) : look.value(ref);
	return typeof value === "string" ? replaceAssetRefs(value, look.text) : value;
}
