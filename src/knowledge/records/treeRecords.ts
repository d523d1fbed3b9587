import { isNaming } from "../../base/rdf/naming.ts";
import { SCHEMA } from "../../base/rdf/vocabulary.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
import { type Literal, literal, type NamedNode, namedNode } from "../../core/knowledge/rdf.ts";
import { fileName, fileStem, only, shorten, squeeze } from "../passages/source.ts";
import { literalOf, literalOfQuoted } from "../resources/literals.ts";
import type { Tree, TreeList, TreeMap } from "./jsonTree.ts";
import { namingOf } from "./naming.ts";
import { keyIri, kindIri, MAX_LABEL, pointerStep, type Records } from "./records.ts";

const MAX_DEPTH = 6;
const MAX_MEMBERS = 5000;

/** An object of a tree. `name` is the name of an object that does not name itself. */
export interface Member {
	readonly subject: string;
	readonly map: TreeMap;
	readonly name?: string | undefined;
	/** Absent if the name is a key or the file's name. */
	readonly nameLines?: LineRange;
}

/** Adds a single object as the document itself, and several objects as members of a class named after the file. */
export function addTree(tree: Tree, uri: string, records: Records): void {
	if (tree.kind === "value") return;
	const several = membersOf(tree, `${uri}#`);
	const document = { subject: uri, name: fileName(uri) };
	if (several) createObjectRecords(kindIri(fileStem(uri)), records)(several);
	else if (tree.kind === "map") addObject({ ...document, map: tree }, undefined, records, MAX_DEPTH);
}

/** Returns a function that adds objects. The first call chooses the naming key. */
export function createObjectRecords(kind: string, records: Records, depth = MAX_DEPTH) {
	let naming: { readonly key: string | undefined } | undefined;
	return (members: readonly Member[]): void => {
		naming ??= { key: namingKey(members) };
		for (const member of members)
			addObject({ ...member, ...namedBy(naming.key, member) }, kind, records, depth);
	};
}

function namedBy(key = "", { map, name }: Member) {
	const value = name === undefined ? map.members.get(key) : undefined;
	return value?.kind === "value" ? { name: value.text, nameLines: value.lines } : { name };
}

function namingKey(members: readonly Member[]): string | undefined {
	const rows = members.slice(0, 1000).map(({ map }) => {
		const values = [...map.members].flatMap(([key, value]) =>
			value.kind === "value" ? [[key, value.text] as const] : [],
		);
		return new Map(values);
	});
	const keys = rows.flatMap((row) => [...row.keys()]);
	return namingOf(new Map(keys.map((key) => [key, keyIri(key)])), rows)?.column;
}

function addObject(member: Member, kind: string | undefined, records: Records, depth: number): void {
	const { subject: iri, map, name = "", nameLines = only(map.lines.start) } = member;
	const subject = namedNode(iri);
	const names = [...map.members].flatMap(([key, value]) => (isNaming(keyIri(key)) ? value : []));
	const stated = names.find(({ kind }) => kind === "value");
	const told = stated ?? names.find(({ kind }) => kind === "map");
	const label = shorten(squeeze(told ? nameIn(told) : name), MAX_LABEL);
	if (!records.add({ subject, ...(kind !== undefined && { kind }), label: label || iri, lines: map.lines }))
		return;
	if (!stated && label !== "")
		records.state(subject, `${SCHEMA}name`, literal(label), told?.lines ?? nameLines);
	addMembers(subject, map, records, depth);
}

const NAME_PART = /^(?:first|given|fore|middle|last|family|sur)[\s_-]?(?:name)?$/i;

/** Text of a name; the first text of a map of names: `{ common: "Chad", official: "Republic of Chad" }`. */
function nameIn(tree: Tree): string {
	if (tree.kind !== "map") return tree.kind === "value" ? tree.text : "";
	const texts = [...tree.members].flatMap(([key, value]) =>
		value.kind === "value" ? { key, text: value.text } : [],
	);
	const parts = texts.filter(({ key }) => NAME_PART.test(key));
	return (parts.length > 1 ? parts : texts.slice(0, 1)).map(({ text }) => text).join(" ");
}

export function addMembers(subject: NamedNode, { members }: TreeMap, records: Records, depth = MAX_DEPTH) {
	for (const [key, value] of [...members].slice(0, MAX_MEMBERS)) {
		for (const { object, lines } of valuesIn(value)) records.state(subject, keyIri(key), object, lines);
		if (depth > 1 && value.kind !== "value") addNested({ subject, key, value }, records, depth - 1);
	}
}

interface Nested {
	readonly subject: NamedNode;
	readonly key: string;
	readonly value: TreeList | TreeMap;
}

function addNested({ subject, key, value }: Nested, records: Records, depth: number): void {
	const iri = `${subject.value}${subject.value.includes("#") ? "" : "#"}${pointerStep(key)}`;
	const objects =
		membersOf(value, iri) ?? (value.kind === "map" ? [{ subject: iri, map: value, name: key }] : []);
	for (const { subject: object, map } of objects)
		records.state(subject, keyIri(key), namedNode(object), only(map.lines.start));
	createObjectRecords(kindIri(key), records, depth)(objects);
}

function valuesIn(tree: Tree): readonly { readonly object: Literal; readonly lines: LineRange }[] {
	if (tree.kind === "list")
		return tree.items
			.filter(({ kind }) => kind !== "map")
			.slice(0, MAX_MEMBERS)
			.flatMap(valuesIn);
	if (tree.kind === "map") return [];
	const object = tree.isQuoted ? literalOfQuoted(tree.text) : literalOf(tree.text.trim());
	return object.value === "" ? [] : [{ object, lines: tree.lines }];
}

/** Objects in a list or in a map of similar objects. */
function membersOf(tree: TreeList | TreeMap, iri: string): Member[] | undefined {
	if (tree.kind === "map" && !areAlike([...tree.members.values()])) return undefined;
	const steps: Iterable<readonly [string | number, Tree]> =
		tree.kind === "map" ? tree.members : tree.items.entries();
	return [...steps].flatMap(([step, map]) => {
		if (map.kind !== "map") return [];
		return typeof step === "number"
			? [{ subject: `${iri}/${step}`, map }]
			: [{ subject: iri + pointerStep(step), map, name: step }];
	});
}

/** Whether all values are objects, at least two, and most of the objects share a key. */
function areAlike(trees: readonly Tree[]): boolean {
	const maps = trees.filter((tree) => tree.kind === "map");
	if (maps.length < 2 || maps.length < trees.length) return false;
	const counts = new Map<string, number>();
	for (const { members } of maps.slice(0, 100))
		for (const key of members.keys()) counts.set(key, (counts.get(key) ?? 0) + 1);
	return Math.max(0, ...counts.values()) > Math.min(maps.length, 100) / 2;
}
