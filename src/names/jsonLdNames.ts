import { bundledContext } from "../base/rdf/bundledContexts.ts";
import { localNameOf } from "../base/rdf/vocabulary.ts";
import { isRecord, textOf } from "../base/values.ts";
import { compactIri } from "./compact.ts";
import { type JsonMember, type JsonNode, type JsonString, readJsonTree, toValue } from "./jsonTree.ts";
import type { NamedText, Names, WrittenName } from "./name.ts";
import { isIri, resolveIri } from "./resolveIri.ts";

/** Local names after a colon in JSON. */
const LOCAL = /^(?!\/\/)[^\s"\\]*$/;

/** Ids, classes and terms of properties. */
export function jsonLdNames({ uri, text }: NamedText): Names {
	const names: WrittenName[] = [];
	const prefixes = new Map<string, string>();
	const tree = readJsonTree(text);
	if (tree) readNode(tree, emptyContext(uri), { names, prefixes });
	names.sort((a, b) => a.start - b.start);
	return { names, prefixes };
}

interface Found {
	readonly names: WrittenName[];
	readonly prefixes: Map<string, string>;
}

function readNode(node: JsonNode, context: JsonLdContext, found: Found): void {
	if (node.kind === "array") for (const item of node.items) readNode(item, context, found);
	if (node.kind === "object") readObject(node.members, context, found);
}

function readObject(members: readonly JsonMember[], around: JsonLdContext, found: Found): void {
	const own = members.find(({ key }) => key.value === "@context");
	const context = own ? withContext(around, toValue(own.value)) : around;
	if (own) {
		for (const [prefix, namespace] of prefixesOf(context)) found.prefixes.set(prefix, namespace);
		readDefinitions(own.value, context, found);
	}
	for (const member of members) if (member !== own) readMember(member, context, found);
}

/** The terms of a context with the names that they stand for, which are renamed together. */
function readDefinitions(node: JsonNode, context: JsonLdContext, found: Found): void {
	if (node.kind === "array") for (const item of node.items) readDefinitions(item, context, found);
	if (node.kind === "object") for (const member of node.members) readDefinition(member, context, found);
}

function readDefinition({ key, value }: JsonMember, context: JsonLdContext, found: Found): void {
	const parts = value.kind === "object" ? value.members : [{ key, value }];
	const id = parts.find((part) => part.key === key || part.key.value === "@id")?.value;
	const isPrefix = prefixesOf(context).has(key.value);
	if (id?.kind !== "string" || isPrefix || context.terms.get(key.value)?.id !== expandTerm(context, id.value))
		return;
	context.defined.add(key.value);
	add(key, found, nameOfTerm(context, "property"));
	add(id, found, nameOfTerm({ ...context, terms: prefixTerms(context) }, "property"));
}

/** A definition may use prefixes only. */
function prefixTerms(context: JsonLdContext): JsonLdContext["terms"] {
	const prefixes = prefixesOf(context);
	return new Map([...context.terms].filter(([name]) => prefixes.has(name)));
}

function readMember({ key, value }: JsonMember, context: JsonLdContext, found: Found): void {
	const term = context.terms.get(key.value);
	const keyword = key.value.startsWith("@") ? key.value : term?.id;
	if (keyword === "@value" || keyword === "@context") return;
	if (keyword === "@id") addAll(value, found, nameOfThing(context));
	else if (keyword === "@type") addAll(value, found, nameOfTerm(context, "class"));
	else readProperty({ key, value }, context, found);
}

function readProperty({ key, value }: JsonMember, context: JsonLdContext, found: Found): void {
	const term = context.terms.get(key.value);
	add(key, found, nameOfTerm(context, "property"));
	if (term?.type === "@id") addAll(value, found, nameOfThing(context));
	if (term?.type === "@vocab") addAll(value, found, nameOfTerm(context, "thing"));
	readNode(value, term?.context === undefined ? context : withContext(context, term.context), found);
}

export interface Naming {
	readonly role: "class" | "property" | "thing";
	readonly read: (word: string) => string | undefined;
	/** `old` is what is written there. */
	readonly write: (iri: string, old: string) => string | undefined;
}

function addAll(node: JsonNode, found: Found, naming: Naming): void {
	if (node.kind === "string") add(node, found, naming);
	if (node.kind === "array") for (const item of node.items) addAll(item, found, naming);
}

function add({ value, start, end }: JsonString, { names }: Found, { role, read, write }: Naming): void {
	const iri = value === "" ? undefined : read(value);
	if (iri !== undefined) names.push({ iri, start, end, role, spell: (wanted) => write(wanted, value) });
}

function nameOfThing(context: JsonLdContext): Naming {
	const write = (iri: string) => compactIri(iri, prefixesOf(context), LOCAL) ?? inFull(iri);
	const isSame = (word: string, iri: string) => expandId(context, word) === iri;
	return {
		role: "thing",
		read: (word) => expandId(context, word),
		write: (iri) => [write(iri), inFull(iri)].find((word) => word !== undefined && isSame(word, iri)),
	};
}

function nameOfTerm(context: JsonLdContext, role: Naming["role"]): Naming {
	const { vocab, terms } = context;
	const write = (iri: string) => {
		const local = vocab !== "" && iri.startsWith(vocab) ? iri.slice(vocab.length) : undefined;
		const named = [...terms].find(([, { id }]) => id === iri)?.[0];
		return [named, local, compactIri(iri, prefixesOf(context), LOCAL), inFull(iri)];
	};
	return {
		role,
		read: (word) => expandTerm(context, word),
		write: (iri, old) =>
			newTerm(context, old, iri) ??
			write(iri).find((word) => word && LOCAL.test(word) && expandTerm(context, word) === iri),
	};
}

/** A term that the document defines gets the local name of its new IRI, wherever it is written. */
function newTerm({ terms, defined }: JsonLdContext, old: string, iri: string): string | undefined {
	if (!defined.has(old) || [...terms.values()].some(({ id }) => id === iri)) return undefined;
	const local = localNameOf(iri);
	return /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(local) && !terms.has(local) ? local : old;
}

function inFull(iri: string): string | undefined {
	return isIri(iri) ? iri : undefined;
}

/** The part of a context that names need. */
interface JsonLdContext {
	readonly base: string;
	readonly vocab: string;
	readonly terms: ReadonlyMap<string, Term>;
	/** Terms that the document itself defines, filled as it is read. */
	readonly defined: Set<string>;
}

interface Term {
	/** IRI or keyword. */
	readonly id: string;
	/** How its values are read if they are names. */
	readonly type: "@id" | "@vocab" | undefined;
	/** Scoped context. */
	readonly context: unknown;
}

const MAX_CONTEXTS = 20;

function emptyContext(base: string, defined = new Set<string>()): JsonLdContext {
	return { base, vocab: "", terms: new Map(), defined };
}

function withContext(active: JsonLdContext, local: unknown, depth = 0): JsonLdContext {
	if (depth > MAX_CONTEXTS) return active;
	if (local === null) return emptyContext(active.base, active.defined);
	if (Array.isArray(local))
		return local.reduce((context, item) => withContext(context, item, depth + 1), active);
	if (typeof local === "string")
		return withContext(active, bundledContext(resolveIri(local, active.base))?.["@context"] ?? {}, depth + 1);
	return isRecord(local) ? define(active, local) : active;
}

function define(active: JsonLdContext, local: Readonly<Record<string, unknown>>): JsonLdContext {
	const base = textOf(local, "@base");
	const vocab = textOf(local, "@vocab");
	const context = {
		base: base === undefined ? active.base : resolveIri(base, active.base),
		vocab: vocab === undefined ? active.vocab : expandIn({ context: active, local }, vocab),
		terms: new Map(active.terms),
		defined: active.defined,
	};
	for (const [name, definition] of Object.entries(local))
		if (!name.startsWith("@")) context.terms.set(name, toTerm(name, definition, { context, local }));
	return context;
}

interface Defining {
	readonly context: JsonLdContext;
	readonly local: Readonly<Record<string, unknown>>;
}

function toTerm(name: string, definition: unknown, { context, local }: Defining): Term {
	const id =
		typeof definition === "string"
			? definition
			: (textOf(definition, "@id") ?? textOf(definition, "@reverse"));
	const kind = textOf(definition, "@type");
	const isPrefixed = name.includes(":");
	return {
		id: id === undefined && !isPrefixed ? context.vocab + name : expandIn({ context, local }, id ?? name),
		type: kind === "@id" || kind === "@vocab" ? kind : undefined,
		context: isRecord(definition) ? definition["@context"] : undefined,
	};
}

/** Expands within a context under construction, whose prefixes may be defined later. */
function expandIn(defining: Defining, name: string, depth = 0): string {
	const { context, local } = defining;
	const [word = "", rest] = name.split(/:(.*)/s, 2);
	if (name.startsWith("@") || rest?.startsWith("//")) return name;
	const id = depth > MAX_CONTEXTS ? undefined : idIn(local, word);
	const namespace = id === undefined ? context.terms.get(word)?.id : expandIn(defining, id, depth + 1);
	if (namespace !== undefined) return namespace + (rest ?? "");
	return rest === undefined ? context.vocab + name : name;
}

function idIn(local: Readonly<Record<string, unknown>>, word: string): string | undefined {
	const definition = Object.hasOwn(local, word) ? local[word] : undefined;
	return typeof definition === "string" ? definition : textOf(definition, "@id");
}

/** `undefined` for keywords and words outside any vocabulary. */
function expandTerm(context: JsonLdContext, word: string): string | undefined {
	const id =
		context.terms.get(word)?.id ?? expandPrefixed(context, word) ?? (context.vocab && context.vocab + word);
	return id === "" || id.startsWith("@") || word.startsWith("@") ? undefined : id;
}

function expandId(context: JsonLdContext, word: string): string | undefined {
	if (word.startsWith("_:") || word.startsWith("@")) return undefined;
	return expandPrefixed(context, word) ?? resolveIri(word, context.base);
}

function expandPrefixed({ terms }: JsonLdContext, word: string): string | undefined {
	const colon = word.indexOf(":");
	if (colon < 0) return undefined;
	const namespace = word.startsWith("//", colon + 1) ? undefined : terms.get(word.slice(0, colon))?.id;
	return namespace === undefined ? word : namespace + word.slice(colon + 1);
}

function prefixesOf({ terms }: JsonLdContext): Map<string, string> {
	const prefixes = new Map<string, string>();
	for (const [name, { id }] of terms)
		if (/[#/:?[\]@]$/.test(id) && !name.includes(":")) prefixes.set(name, id);
	return prefixes;
}
