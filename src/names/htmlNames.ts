import { WELL_KNOWN_NAMESPACES } from "../base/rdf/prefixes.ts";
import { decodeEntities } from "../base/words/entities.ts";
import { wordSet } from "../base/words/wordList.ts";
import { compactIri, expandName, inAttribute, isIri, resolveIri } from "./iris.ts";
import { jsonLdNames } from "./jsonLdNames.ts";
import { type Found, type NamedText, type Names, type Naming, nameOf, type WrittenName } from "./name.ts";
import { type Attribute, type HtmlTag, htmlTags } from "./tags.ts";

/** Prefixes that RDFa defines for every page. */
const INITIAL = new Map(
	Object.entries({
		...WELL_KNOWN_NAMESPACES,
		dc: "http://purl.org/dc/terms/",
		schema: "http://schema.org/",
	}),
);

const VOID = wordSet("area base br col embed hr img input link meta source track wbr");

interface Scope {
	readonly name: string;
	/** Namespace of RDFa terms without a prefix. */
	readonly vocab: string;
	/** Namespace of microdata properties, which the item's class decides. */
	readonly properties: string;
	readonly prefixes: ReadonlyMap<string, string>;
}

interface Reading extends Found {
	base: string;
	readonly scopes: Scope[];
}

/** Finds names in microdata, RDFa, JSON-LD scripts and links. */
export function htmlNames({ uri, text }: NamedText): Names {
	const outermost = { name: "", vocab: "", properties: "", prefixes: INITIAL };
	const reading: Reading = { base: uri, scopes: [outermost], names: [], prefixes: new Map() };
	for (const tag of htmlTags(text))
		if (tag.isClosing) closeTag(reading, tag.name);
		else {
			readTag(reading, tag);
			readScript(reading, tag);
		}
	return reading;
}

function readScript({ base, names, prefixes }: Reading, { name, attributes, content }: HtmlTag): void {
	const type = attributes.find((attribute) => attribute.name === "type")?.value ?? "";
	if (name !== "script" || !content || !/^\s*application\/ld\+json\s*(;|$)/i.test(type)) return;
	const { text, start } = content;
	const found = jsonLdNames({ uri: base, text });
	for (const name of found.names) names.push({ ...name, start: name.start + start, end: name.end + start });
	for (const [prefix, namespace] of found.prefixes) prefixes.set(prefix, namespace);
}

function closeTag({ scopes }: Reading, name: string): void {
	const at = scopes.findLastIndex((scope) => scope.name === name);
	if (at > 0) scopes.length = at;
}

function readTag(reading: Reading, { name, attributes }: HtmlTag): void {
	const values = new Map(attributes.map((attribute) => [attribute.name, attribute.value]));
	const around = reading.scopes.at(-1);
	if (name === "base") reading.base = resolveIri(values.get("href") ?? "", reading.base);
	if (!around || name === "base") return;
	const scope = scopeOf(name, values, around);
	for (const [prefix, namespace] of declaredPrefixes(values.get("prefix")))
		reading.prefixes.set(prefix, namespace);
	for (const attribute of attributes) {
		// `itemprop` on an item is a property of the enclosing item.
		const inside = attribute.name === "itemprop" ? around : scope;
		reading.names.push(...namesInAttribute(attribute, inside, reading.base));
	}
	if (!VOID.has(name)) reading.scopes.push(scope);
}

function scopeOf(name: string, values: ReadonlyMap<string, string>, around: Scope): Scope {
	const own = declaredPrefixes(values.get("prefix"));
	const [type] = (values.get("itemtype") ?? "").trim().split(/\s+/);
	return {
		name,
		vocab: values.get("vocab") ?? around.vocab,
		properties: type ? vocabularyOf(type) : around.properties,
		prefixes: own.size > 0 ? new Map([...around.prefixes, ...own]) : around.prefixes,
	};
}

function declaredPrefixes(text = ""): Map<string, string> {
	const pairs = text.matchAll(/([^\s:]+):\s+(\S+)/g);
	return new Map(pairs.map(([, prefix = "", namespace = ""]) => [prefix, namespace]));
}

function vocabularyOf(type: string): string {
	const hash = type.indexOf("#");
	return hash >= 0 ? type.slice(0, hash + 1) : type.slice(0, type.lastIndexOf("/") + 1);
}

const ADDRESSES = new Set(["itemid", "href", "src", "cite", "data"]);
const CURIES = new Set(["about", "resource"]);
const TERMS = new Set(["typeof", "property", "rel", "rev", "datatype"]);

function namesInAttribute(attribute: Attribute, scope: Scope, base: string): WrittenName[] {
	const { name, value } = attribute;
	if (ADDRESSES.has(name)) return wholeName(attribute, addressIn(base));
	if (CURIES.has(name)) return wholeName(attribute, curieIn(scope, base));
	if (name === "itemtype") return eachWord(attribute, { ...addressIn(""), role: "class" });
	if (name === "itemprop") return eachWord(attribute, propertyIn(scope));
	return TERMS.has(name) && value !== ""
		? eachWord(attribute, { ...termIn(scope), role: name === "typeof" ? "class" : "property" })
		: [];
}

function addressIn(base: string): Naming {
	return {
		role: "thing",
		read: (word) => (base === "" && !isIri(word) ? undefined : resolveIri(word, base)),
		write: inAttribute,
	};
}

function propertyIn({ properties }: Scope): Naming {
	return {
		role: "property",
		read: (word) => {
			if (isIri(word)) return word;
			return properties === "" ? undefined : properties + word;
		},
		write: (iri) => localIn(properties, iri) ?? inAttribute(iri),
	};
}

function curieIn({ prefixes }: Scope, base: string): Naming {
	return {
		role: "thing",
		read: (word) => {
			const [, safe] = /^\[(.*)\]$/.exec(word) ?? [];
			if (word.startsWith("_:") || safe?.startsWith("_:")) return undefined;
			return expand(safe ?? word, prefixes) ?? resolveIri(word, base);
		},
		write: inAttribute,
	};
}

function termIn({ prefixes, vocab }: Scope): Naming {
	return {
		role: "property",
		read: (word) => {
			if (word.includes(":")) return expand(word, prefixes) ?? word;
			return vocab === "" ? undefined : vocab + word;
		},
		write: (iri) => localIn(vocab, iri) ?? compactIri(iri, prefixes, /^[\w.-]+$/) ?? inAttribute(iri),
	};
}

function localIn(vocabulary: string, iri: string): string | undefined {
	const local = vocabulary !== "" && iri.startsWith(vocabulary) ? iri.slice(vocabulary.length) : "";
	return /^[\w-]+$/.test(local) ? local : undefined;
}

function expand(word: string, prefixes: ReadonlyMap<string, string>): string | undefined {
	return expandName(word, (prefix) => prefixes.get(prefix.toLowerCase()) ?? prefixes.get(prefix));
}

function wholeName({ value, start, end }: Attribute, naming: Naming): WrittenName[] {
	const at = start + (value.length - value.trimStart().length);
	return toName(value.trim(), at, naming).filter((name) => name.end <= end);
}

function eachWord({ value, start }: Attribute, naming: Naming): WrittenName[] {
	return [...value.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => toName(word, start + index, naming));
}

function toName(written: string, start: number, naming: Naming): WrittenName[] {
	return nameOf(decodeEntities(written), { start, end: start + written.length }, naming);
}
