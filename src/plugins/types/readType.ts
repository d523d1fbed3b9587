import { isRecord } from "../../base/values.ts";
import { wordMap, wordSet } from "../../base/words/wordList.ts";
import type { Field, NamedTypes, ValueType } from "../../core/plugin/valueType.ts";
import { namesIn, SIMPLE_TYPES, type Simple } from "./checkValue.ts";

/** A path in a file: names of fields and indexes of items. */
export type Place = readonly PropertyKey[];

export interface Report {
	error(place: Place, message: string): void;
	warning(place: Place, message: string): void;
}

type Written = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 20;
const MAX_TYPES = 100;

export interface TypeReader {
	readonly report: Report;
	/** Named types, by the name given in `_type_ref`. */
	readonly named: Map<string, { readonly type: ValueType; readonly place: Place }>;
	readonly used: { readonly name: string; readonly place: Place }[];
}

const SIMPLE = wordMap(`
	string=string str=string date=date iri=iri path=path int=int integer=int float=float number=float bool=bool boolean=bool
	any=any asset_ref=any assetref=any
`) as ReadonlyMap<string, Simple>;

const REFERENCE = /^asset_?ref$/i;

/** Reads a type: a word, a mapping of named values, or a list of fields for a list of objects. */
export function readType(written: unknown, place: Place, reader: TypeReader): ValueType {
	if (place.length > 4 * MAX_DEPTH) return noType("The type is nested too deeply.", place, reader);
	if (typeof written === "string") return readWord(written.trim(), place, reader);
	if (Array.isArray(written)) return { kind: "list", items: readListFields(written, place, reader) };
	if (isRecord(written)) return readMapping(written, place, reader);
	return noType("A type is a word such as string, a mapping, or a list of named fields.", place, reader);
}

function noType(why: string, place: Place, { report }: TypeReader): ValueType {
	report.error(place, why);
	return ANY;
}

function readWord(word: string, place: Place, reader: TypeReader): ValueType {
	const simple = SIMPLE.get(word.toLowerCase());
	if (simple) return { kind: simple };
	if (/^list$/i.test(word)) return { kind: "list", items: ANY };
	if (/^(?:dict|mapping)$/i.test(word)) return { kind: "dict", values: ANY };
	const [, items] = /^list\[(.*)\]$/is.exec(word) ?? [];
	if (items !== undefined) return { kind: "list", items: within(items, place, reader) };
	const [, key, values] = /^(?:dict|mapping)\[([^,[\]]*),(.*)\]$/is.exec(word) ?? [];
	if (key === undefined || values === undefined) return readName(word, place, reader);
	if (!/^str(?:ing)?$/i.test(key.trim()))
		reader.report.error(place, `The names in a Dict are texts: write Dict[str, …], not “${word}”.`);
	return { kind: "dict", values: within(values, place, reader) };
}

const ANY: ValueType = { kind: "any" };

function readName(word: string, place: Place, reader: TypeReader): ValueType {
	if (/^[A-Za-z][\w-]*$/.test(word)) {
		reader.used.push({ name: word, place });
		return { kind: "ref", name: word };
	}
	const why = `“${word}” is not a type. The types are string, date, iri, path, int, float, bool, List[…], Dict[str, …], mappings, and names that a _type_ref defines.`;
	return noType(why, place, reader);
}

function within(word: string, place: Place, reader: TypeReader): ValueType {
	// Each bracket counts as one level, as in a type of several lines.
	if ((word.match(/\[/g)?.length ?? 0) <= MAX_DEPTH) return readWord(word.trim(), place, reader);
	return noType("The type is nested too deeply.", place, reader);
}

function readMapping(written: Written, place: Place, reader: TypeReader): ValueType {
	const { _type_ref: name, ...fields } = written;
	const type: ValueType = { kind: "object", fields: readFields(fields, place, reader) };
	if (name === undefined) return type;
	const at = [...place, "_type_ref"];
	if (typeof name !== "string" || !/^[A-Za-z][\w-]*$/.test(name) || SIMPLE.has(name.toLowerCase()))
		reader.report.error(at, "The name of a type has letters, digits, _, and -, and is not already a type.");
	else if (reader.named.has(name)) reader.report.error(at, `There are two types “${name}”.`);
	else if (reader.named.size >= MAX_TYPES)
		reader.report.error(at, `There are more than ${MAX_TYPES} named types.`);
	else {
		reader.named.set(name, { type, place: at });
		return { kind: "ref", name };
	}
	return type;
}

const MAX_FIELDS = 100;
const MAX_VALUES = 200;

/** Names without special meaning in JavaScript. */
const NAME = /^[A-Za-z]\w{0,63}$/;
const KNOWN = wordSet("type description required optional enum example asset_ref_acceptable name");

function readFields(written: Written, place: Place, reader: TypeReader): Field[] {
	const names = Object.keys(written);
	if (names.length > MAX_FIELDS) reader.report.error(place, `There are more than ${MAX_FIELDS} fields.`);
	return names.slice(0, MAX_FIELDS).map((name) => readField(name, written[name], [...place, name], reader));
}

function readListFields(written: readonly unknown[], place: Place, reader: TypeReader): ValueType {
	if (written.length > MAX_FIELDS) reader.report.error(place, `There are more than ${MAX_FIELDS} fields.`);
	const seen = new Set<unknown>();
	const fields = written.slice(0, MAX_FIELDS).map((item, index): Field => {
		const at = [...place, index];
		const name = isRecord(item) ? item["name"] : undefined;
		if (typeof name !== "string") reader.report.error(at, "Each field of the objects in a list has a name.");
		else if (seen.has(name)) reader.report.error([...at, "name"], `There are two fields “${name}”.`);
		seen.add(name);
		return readField(typeof name === "string" ? name : "_", item, at, reader);
	});
	return { kind: "object", fields };
}

function readField(name: string, given: unknown, place: Place, reader: TypeReader): Field {
	const { report } = reader;
	const invalid = `“${name.slice(0, 70)}” is not a valid name: use letters, digits, and _, starting with a letter.`;
	if (!NAME.test(name)) report.error(place, invalid);
	// A type alone is a complete field.
	const written = typeof given === "string" ? { type: given } : given;
	if (!isRecord(written)) {
		const why = `Specify the type of “${name}”, for example type: string.`;
		return { name, type: noType(why, place, reader), isRequired: true };
	}
	warnOfOthers(written, KNOWN, place, report);
	if (written["type"] === undefined) report.error(place, "A value has a type, for example type: string.");
	const type = written["type"] === undefined ? ANY : readType(written["type"], [...place, "type"], reader);
	const values = readValues(written["enum"], type, [...place, "enum"], reader);
	const { description, example, asset_ref_acceptable: isReferable } = written;
	const takesRefs = isReferable === true || REFERENCE.test(String(written["type"]));
	return {
		name,
		type,
		isRequired: isRequired(written, place, reader),
		...(typeof description === "string" && { description }),
		...(values && { values }),
		...(example !== undefined && example !== null && { example }),
		...(takesRefs && { takesRefs }),
	};
}

export function warnOfOthers(
	written: object,
	known: ReadonlySet<string>,
	place: Place,
	report: Report,
): void {
	for (const key of Object.keys(written))
		if (!known.has(key)) report.warning([...place, key], `“${key}” is not used here.`);
}

/** Responses may use `optional` instead of `required`. */
function isRequired(written: Written, place: Place, { report }: TypeReader): boolean {
	const [required, optional] = ["required", "optional"].map((name) => {
		const value = written[name];
		if (value === undefined || typeof value === "boolean") return value;
		report.error([...place, name], `“${name}” must be true or false.`);
		return undefined;
	});
	return required ?? optional !== true;
}

function readValues(written: unknown, { kind }: ValueType, place: Place, { report }: TypeReader) {
	if (written === undefined) return undefined;
	const type = kind !== "any" && kind in SIMPLE_TYPES && SIMPLE_TYPES[kind as Simple];
	const values: unknown[] = Array.isArray(written) ? written : [];
	if (!type) report.error(place, "Only texts, numbers, and flags can be in an enum.");
	else if (values.length === 0 || values.length > MAX_VALUES || !values.every(type.fits))
		report.error(place, `An enum is a list of 1 to ${MAX_VALUES} values of its type.`);
	else return [...new Set(values)] as (string | number | boolean)[];
	return undefined;
}

/** The named types of a completely read file. Reports missing and circular types. */
export function finishTypes({ named, used, report }: TypeReader): NamedTypes {
	for (const { name, place } of used)
		if (!named.has(name)) report.error(place, `“${name}” is not a type, and no _type_ref defines it.`);
	const state = new Map<string, "open" | "done">();
	const leadsBack = (name: string): boolean => {
		const type = named.get(name)?.type;
		if (!type || state.get(name) === "done") return false;
		if (state.get(name) === "open") return true;
		state.set(name, "open");
		const found = namesIn(type).some(leadsBack);
		state.set(name, "done");
		return found;
	};
	for (const [name, { place }] of named)
		if (leadsBack(name)) report.error(place, `The type “${name}” contains itself, so no value is possible.`);
	return Object.fromEntries([...named].map(([name, { type }]) => [name, type]));
}
