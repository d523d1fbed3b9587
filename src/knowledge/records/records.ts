import { memoize } from "../../base/jobs/lazily.ts";
import { FOLDERS, KEYS, KINDS, RDF_TYPE, VOID_ENTITIES, XSD } from "../../base/rdf/vocabulary.ts";
import { numeral } from "../../base/text/plural.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
import {
	type ParsedDocument,
	type Problem,
	problemAt,
	type Resource,
} from "../../core/knowledge/document.ts";
import { literal, type NamedNode, namedNode, type Quad, quad, type Term } from "../../core/knowledge/rdf.ts";
import { only, shorten, squeeze } from "../passages/source.ts";

const MAX_STATEMENTS = 100_000;
export const MAX_LABEL = 120;

interface RecordThing {
	readonly subject: NamedNode;
	/** IRI of the class. */
	readonly kind?: string;
	readonly label: string;
	readonly lines: LineRange;
}

export type Records = ReturnType<typeof createRecords>;

export function createRecords(most = MAX_STATEMENTS) {
	const quads: Quad[] = [];
	const resources: Resource[] = [];
	const nodeOf = memoize(namedNode);
	const totals = new Map<string, { found: number; kept: number }>();
	const count = (kind: string, found: number, kept: number) => {
		const total = totals.get(kind) ?? { found: 0, kept: 0 };
		totals.set(kind, { found: total.found + found, kept: total.kept + kept });
	};
	const keep = ({ subject, kind, label, lines }: RecordThing) => {
		if (kind !== undefined) quads.push({ subject, predicate: nodeOf(RDF_TYPE), object: nodeOf(kind), lines });
		const types = kind === undefined ? [] : [kind];
		resources.push({ id: subject.value, types, label: shorten(squeeze(label), MAX_LABEL), lines });
	};
	return {
		get size() {
			return quads.length;
		},
		get isFull() {
			return quads.length >= most;
		},
		/** Counts resources beyond the limit. */
		skip: (kind: string, number: number): void => count(kind, number, 0),
		/** Adds a resource. Beyond the limit, only counts the resource and returns false. */
		add: (thing: RecordThing): boolean => {
			const isKept = quads.length < most;
			if (thing.kind !== undefined) count(thing.kind, 1, isKept ? 1 : 0);
			if (isKept) keep(thing);
			return isKept;
		},
		state: (subject: NamedNode, predicate: string, object: Term, lines: LineRange): void =>
			void quads.push({ subject, predicate: nodeOf(predicate), object, lines }),
		addTo: (document: ParsedDocument): ParsedDocument => {
			const cut = [...totals].filter(([, { found, kept }]) => kept < found);
			const counts = cut.map(([kind, { found }]) =>
				quad(nodeOf(kind), VOID_ENTITIES, literal(`${found}`, `${XSD}integer`), only(1)),
			);
			const problems = cut.map(([kind, { found, kept }]) => cutProblem(kind, found, kept));
			return {
				...document,
				quads: [...document.quads, ...quads, ...counts],
				resources: mergeResources(document.resources, resources),
				problems: [...document.problems, ...problems],
			};
		},
	};
}

function cutProblem(kind: string, found: number, kept: number): Problem {
	const name = decodeURIComponent(kind.slice(kind.lastIndexOf(":") + 1));
	const message = `This file is large: ${numeral(kept)} of ${numeral(found)} records of "${name}" can be filtered and listed. Split it into smaller files.`;
	return problemAt(1, message, "warning");
}

/** Adds classes to known resources, and keeps the names of these resources. */
function mergeResources(before: readonly Resource[], added: readonly Resource[]): Resource[] {
	const known = new Map(before.map((resource) => [resource.id, resource]));
	const others: Resource[] = [];
	for (const resource of added) {
		const same = known.get(resource.id);
		if (same) known.set(same.id, { ...same, types: [...new Set([...same.types, ...resource.types])] });
		else others.push(resource);
	}
	return [...known.values(), ...others];
}

/** Maximum length of a name in characters. Longer names are misplaced text. */
const MAX_NAME = 200;

/** Numbering of headings, as in `3. Actions` and `2.1 Risks`. */
const NUMBERING = /^(?:\d+(?:\.\d+)+[.)]?|\d+[.)])\s+/;

export function kindIri(words: string): string {
	const name = squeeze(words);
	const bare = name.replace(/[\s:：]+$/, "").replace(NUMBERING, "");
	return KINDS + encodeURIComponent(nameOf(bare || name));
}

export function folderIri(name: string): string {
	return FOLDERS + encodeURIComponent(nameOf(name));
}

export function keyIri(key: string): string {
	return KEYS + encodeURIComponent(nameOf(key));
}

/** IRI of a column as in CSV on the Web: https://www.w3.org/TR/csv2rdf/ */
export function columnIri(uri: string, name: string): string {
	const encoded = encodeURIComponent(nameOf(name));
	return `${uri}#${encoded.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}

/** Name for a column without a header; `column` counts from 0. */
export function unnamedColumn(column: number): string {
	return `_col.${column + 1}`;
}

/** Step of a JSON pointer in an IRI: https://www.rfc-editor.org/rfc/rfc6901#section-6 */
export function pointerStep(key: string): string {
	return `/${encodeURIComponent(shorten(key, MAX_NAME).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1"))}`;
}

function nameOf(text: string): string {
	return shorten(squeeze(text), MAX_NAME).toWellFormed();
}
