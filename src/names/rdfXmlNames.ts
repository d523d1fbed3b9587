import { BEGIN_OF_TURTLE, RDF } from "../base/rdf/vocabulary.ts";
import { decodeEntities } from "../base/words/entities.ts";
import { wordList } from "../base/words/wordList.ts";
import { escaped, expandName, inAttribute, isIri, resolveIri } from "./iris.ts";
import type { Found, NamedText, Names, WrittenName } from "./name.ts";
import { type Attribute, type Tag, xmlTags } from "./tags.ts";
import { turtleNames } from "./turtleNames.ts";

const ENTITY = /<!ENTITY\s+([^\s"'%]+)\s+(?:"([^"]*)"|'([^']*)')\s*>/g;
const NAME = /^[\p{L}_][\p{L}\p{N}\p{M}_.\u00b7-]*$/u;
const LAST_NAME = /[\p{L}_][\p{L}\p{N}\p{M}_.\u00b7-]*$/u;

/** Names that belong to the syntax of RDF/XML and do not denote resources. */
const SYNTAX = new Set(
	wordList("RDF ID about parseType resource nodeID datatype li Description bagID").map((name) => RDF + name),
);

type Content = "nodes" | "properties" | "literal";

interface Scope {
	readonly base: string;
	readonly prefixes: ReadonlyMap<string, string>;
	/** What the child elements of the element denote. */
	readonly content: Content;
	/** Name of the element, needed again for its closing tag. */
	readonly name: Pick<WrittenName, "iri" | "role" | "spell"> | undefined;
	readonly tag: string;
}

interface Reading extends Found {
	readonly entities: ReadonlyMap<string, string>;
	readonly scopes: Scope[];
}

export function rdfXmlNames(source: NamedText): Names {
	const { uri, text } = source;
	if (BEGIN_OF_TURTLE.test(text)) return turtleNames(source);
	const outermost = { base: uri, prefixes: new Map(), content: "nodes", name: undefined, tag: "" } as const;
	const entities = entitiesOf(text);
	const reading: Reading = { entities, scopes: [outermost], names: [], prefixes: new Map() };
	for (const tag of xmlTags(text))
		if (tag.isClosing) closeTag(reading, tag);
		else openTag(reading, tag);
	return reading;
}

function entitiesOf(text: string): Map<string, string> {
	const entities = new Map<string, string>();
	for (const [, name = "", quoted, apostrophed] of text.matchAll(ENTITY))
		entities.set(name, decodeEntities(quoted ?? apostrophed ?? ""));
	return entities;
}

function openTag(reading: Reading, tag: Tag): void {
	const { scopes, names, prefixes } = reading;
	const around = scopes.at(-1);
	if (!around) return;
	const scope = scopeOf(reading, tag, around);
	if (scope.prefixes !== around.prefixes)
		for (const [prefix, namespace] of scope.prefixes) prefixes.set(prefix, namespace);
	if (around.content !== "literal") {
		if (scope.name) names.push({ ...scope.name, start: tag.start, end: tag.start + tag.name.length });
		for (const attribute of tag.attributes) names.push(...namesInAttribute(reading, attribute, scope));
	}
	if (!tag.isEmpty) scopes.push(scope);
}

function closeTag({ scopes, names }: Reading, { name: tag, start }: Tag): void {
	const at = scopes.findLastIndex((scope) => scope.tag === tag);
	if (at <= 0) return;
	const { name } = scopes[at] ?? {};
	scopes.length = at;
	if (!name) return;
	// Omits the declaration of a new prefix, which belongs in the opening tag.
	const spell = (iri: string) => name.spell(iri)?.split(" ", 1)[0];
	names.push({ ...name, spell, start, end: start + tag.length });
}

function scopeOf(reading: Reading, { name: tag, attributes }: Tag, around: Scope): Scope {
	const base = attributes.find(({ name }) => name === "xml:base");
	const declared = attributes.flatMap(({ name, value }) => {
		const [xmlns, prefix = ""] = name.split(/:(.*)/s);
		return xmlns === "xmlns" ? [[prefix, decoded(reading, value)] as const] : [];
	});
	const prefixes = declared.length === 0 ? around.prefixes : new Map([...around.prefixes, ...declared]);
	const iri = expanded(tag, prefixes, prefixes.get(""));
	const role = around.content === "nodes" ? "class" : "property";
	const isNamed = around.content !== "literal" && iri !== undefined && !SYNTAX.has(iri);
	const spell = (wanted: string) => elementNamed(wanted, prefixes);
	return {
		base: base ? resolveIri(decoded(reading, base.value), around.base) : around.base,
		prefixes,
		content: contentOf(iri, attributes, around),
		name: isNamed ? { iri, role, spell } : undefined,
		tag,
	};
}

function contentOf(iri: string | undefined, attributes: readonly Attribute[], { content }: Scope): Content {
	if (iri === `${RDF}RDF` || content === "literal") return iri === `${RDF}RDF` ? "nodes" : "literal";
	if (content === "nodes") return "properties";
	const type = attributes.find(({ name }) => name.endsWith(":parseType"))?.value;
	if (type === undefined || type === "Collection") return "nodes";
	return type === "Resource" ? "properties" : "literal";
}

function namesInAttribute(reading: Reading, attribute: Attribute, scope: Scope): WrittenName[] {
	const { name, value, nameStart, start, end } = attribute;
	const iri = name.startsWith("xml") ? undefined : expanded(name, scope.prefixes);
	if (iri === undefined) return [];
	const local = iri.startsWith(RDF) ? iri.slice(RDF.length) : "";
	if (["about", "resource", "datatype", "type"].includes(local)) {
		const named = resolveIri(decoded(reading, value), scope.base);
		const role = local === "type" ? "class" : "thing";
		const spell = (wanted: string) => addressOf(reading, wanted, value, scope.base);
		return [{ iri: named, start, end, role, spell }];
	}
	if (local === "ID") {
		const spell = (wanted: string) => {
			const [whole = "", id = ""] = wanted.split(/#(.*)/s, 2);
			return whole === resolveIri("", scope.base) && NAME.test(id) ? id : undefined;
		};
		return [{ iri: resolveIri(`#${decoded(reading, value)}`, scope.base), start, end, role: "thing", spell }];
	}
	if (SYNTAX.has(iri)) return [];
	// The declaration of a new prefix is before the name.
	const spell = (wanted: string) => qualified(wanted, scope.prefixes)?.toReversed().join(" ");
	return [{ iri, start: nameStart, end: nameStart + name.length, role: "property", spell }];
}

function decoded({ entities }: Reading, text: string): string {
	if (!text.includes("&")) return text;
	return decodeEntities(text.replace(/&([^\s&;#]+);/g, (whole, name) => entities.get(name) ?? whole));
}

/** Expands a name to an IRI. `byDefault` is the default namespace, which applies to elements only. */
function expanded(name: string, prefixes: ReadonlyMap<string, string>, byDefault?: string) {
	if (!name.includes(":")) return byDefault === undefined ? undefined : byDefault + name;
	return expandName(name, (prefix) => (prefix === "" ? undefined : prefixes.get(prefix)));
}

function elementNamed(iri: string, prefixes: ReadonlyMap<string, string>): string | undefined {
	const byDefault = prefixes.get("");
	if (byDefault && iri.startsWith(byDefault) && NAME.test(iri.slice(byDefault.length)))
		return iri.slice(byDefault.length);
	return qualified(iri, prefixes)?.join(" ");
}

/** Returns a name with a declared prefix, or a name with a new prefix and the declaration. */
function qualified(iri: string, prefixes: ReadonlyMap<string, string>): string[] | undefined {
	for (const [prefix, namespace] of prefixes) {
		const local = iri.slice(namespace.length);
		if (prefix !== "" && namespace !== "" && iri.startsWith(namespace) && NAME.test(local))
			return [`${prefix}:${local}`];
	}
	const [local = ""] = LAST_NAME.exec(iri) ?? [];
	const namespace = inAttribute(iri.slice(0, iri.length - local.length));
	if (namespace === undefined || local === "") return undefined;
	let count = 1;
	while (prefixes.has(`ns${count}`)) count++;
	return [`ns${count}:${local}`, `xmlns:ns${count}="${namespace}"`];
}

/** Keeps the old spelling's entity, or the fragment of the file. */
function addressOf({ entities }: Reading, iri: string, old: string, base: string): string | undefined {
	const [, entity = ""] = /^&([^\s&;#]+);/.exec(old) ?? [];
	const namespace = entities.get(entity);
	if (namespace && iri.startsWith(namespace) && isIri(iri)) {
		const local = escaped(iri.slice(namespace.length));
		return `&${entity};${local}`;
	}
	const here = `${resolveIri("", base)}#`;
	const isHere = old.startsWith("#") && iri.startsWith(here) && isIri(iri);
	return isHere ? escaped(iri.slice(here.length - 1)) : inAttribute(iri);
}
