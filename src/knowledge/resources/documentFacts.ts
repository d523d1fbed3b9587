import { RDF_TYPE, SCHEMA } from "../../base/rdf/vocabulary.ts";
import type { LineRange } from "../../core/knowledge/citation.ts";
import type { Passage } from "../../core/knowledge/document.ts";
import { literal, namedNode, type Quad, quad, type Term } from "../../core/knowledge/rdf.ts";
import { only, squeeze } from "../passages/source.ts";
import { literalOf, literalOfQuoted } from "./literals.ts";
import { resourcesOf } from "./resources.ts";
import { verbalize } from "./verbalize.ts";

export interface DocumentFacts {
	/** Name of a class in schema.org. */
	readonly type: string;
	readonly title?: string | undefined;
	readonly values?: readonly Fact[];
	readonly links?: readonly Link[];
	readonly linksToFiles?: boolean;
}

export interface Fact {
	readonly property: string;
	readonly value: string | number;
	readonly lines?: LineRange | undefined;
}

export interface Link {
	readonly href: string;
	readonly line: number;
}

const MAX_LINKS = 5000;
const ABSOLUTE = /^(?:https?|ftp):/i;

export function documentAbout(uri: string, title: string, facts: DocumentFacts, texts: readonly Passage[]) {
	const quads = factsOf(uri, facts);
	const resources = resourcesOf(quads).map((each) => (each.id === uri ? { ...each, label: title } : each));
	return { title, quads, resources, passages: [...verbalize(resources, quads), ...texts] };
}

function factsOf(uri: string, facts: DocumentFacts): Quad[] {
	const { type, title, values = [], links = [], linksToFiles = false } = facts;
	const document = namedNode(uri);
	const state = (property: string, object: Term, lines: LineRange = only(1)) =>
		quad(document, `${SCHEMA}${property}`, object, lines);
	const name = squeeze(title ?? "");
	const named = name === "" ? [] : [state("name", literal(name))];
	const told = values
		.map(({ property, value, lines }) => {
			const object = typeof value === "number" ? literalOf(`${value}`) : literalOfQuoted(value);
			return state(property, object, lines);
		})
		.filter(({ object }) => object.value !== "");
	const targets = targetsOf(links, uri, linksToFiles);
	const linked = Array.from(targets, ([href, line]) => state("citation", namedNode(href), only(line)));
	const stated = [...named, ...told, ...linked];
	// A file without metadata is not a resource.
	if (stated.length === 0) return [];
	return [quad(document, RDF_TYPE, namedNode(`${SCHEMA}${type}`), only(1)), ...stated];
}

function targetsOf(links: readonly Link[], uri: string, toFiles: boolean): Map<string, number> {
	const found = new Map<string, number>();
	for (const { href, line } of links) {
		const target = found.size < MAX_LINKS ? targetOf(href, uri, toFiles) : undefined;
		if (target !== undefined && !found.has(target)) found.set(target, line);
	}
	return found;
}

function targetOf(href: string, uri: string, toFiles: boolean): string | undefined {
	if (!ABSOLUTE.test(href) && (!toFiles || href.startsWith("#"))) return undefined;
	const url = URL.parse(href, uri);
	if (!url || url.href === uri) return undefined;
	return ABSOLUTE.test(url.href) || url.protocol === "file:" ? url.href : undefined;
}
