import { bundledContext } from "../base/rdf/bundledContexts.ts";
import { localNameOf } from "../base/rdf/vocabulary.ts";
import { isRecord, textOf } from "../base/values.ts";
import { compactIri, expandName, isIri, resolveIri } from "./iris.ts";
import {
	itemsOf,
	type JsonMember,
	type JsonNode,
	type JsonString,
	readJsonTree,
	toValue,
} from "./jsonTree.ts";
import { type Found, type NamedText, type Names, type Naming, nameOf } from "./name.ts";

/** Local name after a colon in JSON-LD. */
const LOCAL = /^(?!\/\/)[^\s"\\]*$/;

export function jsonLdNames({ uri, text }: NamedText): Names {
	const found: Found = { names: [], prefixes: new Map() };
	const tree = readJsonTree(text);
	if (tree) readNode(tree, emptyContext(uri), found);
	found.names.sort((a, b) => a.start - b.start);
	return found;
}

function readNode(node: JsonNode, context: JsonLdContext, found: Found): void {
	for (const members of objectsIn(node)) readObject(members, context, found);
}

/** The members of each object in a node. */
function objectsIn(node: JsonNode): (readonly JsonMember[])[] {
	return itemsOf(node).flatMap((item) => (item.kind === "object" ? [item.members] : []));
}

function readObject(members: readonly JsonMember[], around: JsonLdContext, found: Found): void {
	const own = members.find(({ key }) => key.value === "@context");
	const context = own ? withContext(around, toValue(own.value)) : around;
	if (own) {
		for (const [prefix, namespace] of prefixesOf(context)) found.prefixes.set(prefix, namespace);
		for (const member of objectsIn(own.value).flat()) readDefinition(member, context, found);
	}
	for (const member of members) if (member !== own) readMember(member, context, found);
}

/** Collects a term that a context defines and its IRI, so that both can be renamed together. */
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

/** The only terms that the IRI of a definition may use. */
function prefixTerms(context: JsonLdContext): JsonLdContext["terms"] {
	const prefixes = prefixesOf(context);
	return new Map([...context.terms].filter(([name]) => prefixes.has(name)));
}

function readMember({ key, value }: JsonMember, context: JsonLdContext, found: Found): void {
	const term = context.terms.get(key.value);
	const keyword = key.value.startsWith("@") ? key.value : term?.id;
	if (keyword === "@value" || keyword === "@context") return;
	if (keyword === "@id") return void addAll(value, found, nameOfThing(context));
	if (keyword === "@type") return void addAll(value, found, nameOfTerm(context, "class"));
	add(key, found, nameOfTerm(context, "property"));
	if (term?.type === "@id") addAll(value, found, nameOfThing(context));
	if (term?.type === "@vocab") addAll(value, found, nameOfTerm(context, "thing"));
	readNode(value, term?.context === undefined ? context : withContext(context, term.context), found);
}

function addAll(node: JsonNode, found: Found, naming: Naming): void {
	for (const item of itemsOf(node)) if (item.kind === "string") add(item, found, naming);
}

function add(text: JsonString, { names }: Found, naming: Naming): void {
	if (text.value !== "") names.push(...nameOf(text.value, text, naming));
}

function nameOfThing(context: JsonLdContext): Naming {
	const read = (word: string) => expandId(context, word);
	const write = (iri: string) => [compactIri(iri, prefixesOf(context), LOCAL), inFull(iri)];
	return {
		role: "thing",
		read,
		write: (iri) => write(iri).find((word) => word !== undefined && read(word) === iri),
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

/** Renames a term that the document defines to the local name of the new IRI, unless that name is taken. */
function newTerm({ terms, defined }: JsonLdContext, old: string, iri: string): string | undefined {
	if (!defined.has(old) || [...terms.values()].some(({ id }) => id === iri)) return undefined;
	const local = localNameOf(iri);
	return /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(local) && !terms.has(local) ? local : old;
}

function inFull(iri: string): string | undefined {
	return isIri(iri) ? iri : undefined;
}

interface JsonLdContext {
	readonly base: string;
	readonly vocab: string;
	readonly terms: ReadonlyMap<string, Term>;
	/** Terms that the document itself defines. Reading the document adds to them. */
	readonly defined: Set<string>;
}

interface Term {
	/** IRI or keyword. */
	readonly id: string;
	/** How string values are expanded; `undefined` if they are not names. */
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

type TermAt = (name: string) => Term | undefined;

function define(active: JsonLdContext, local: Readonly<Record<string, unknown>>): JsonLdContext {
	const terms = new Map(active.terms);
	const waiting = new Map(Object.entries(local).filter(([name]) => !name.startsWith("@")));
	let { vocab } = active;
	const expand = (word: string) => expandWord(word, termAt, vocab) ?? word;
	const [base, ownVocab] = [textOf(local, "@base"), textOf(local, "@vocab")];
	if (ownVocab !== undefined) vocab = expand(ownVocab);
	for (const name of [...waiting.keys()]) termAt(name);
	return { ...active, base: base === undefined ? active.base : resolveIri(base, active.base), vocab, terms };

	/** Defines a term on demand, because definitions may use later terms. */
	function termAt(name: string): Term | undefined {
		const definition = waiting.get(name);
		if (waiting.delete(name)) {
			terms.delete(name);
			terms.set(name, toTerm(name, definition, expand));
		}
		return terms.get(name);
	}
}

function toTerm(name: string, definition: unknown, expand: (word: string) => string): Term {
	const whole = typeof definition === "string" ? definition : undefined;
	const id = whole ?? textOf(definition, "@id") ?? textOf(definition, "@reverse");
	const kind = textOf(definition, "@type");
	return {
		id: expand(id ?? name),
		type: kind === "@id" || kind === "@vocab" ? kind : undefined,
		context: isRecord(definition) ? definition["@context"] : undefined,
	};
}

/** Expands a word; keywords remain. `undefined` for a word outside of any vocabulary. */
function expandWord(word: string, termAt: TermAt, vocab: string): string | undefined {
	if (word.startsWith("@")) return word;
	return expandPrefixed(word, termAt) ?? termAt(word)?.id ?? (vocab === "" ? undefined : vocab + word);
}

/** Expands a term; `undefined` for a keyword and for a word outside of any vocabulary. */
function expandTerm({ terms, vocab }: JsonLdContext, word: string): string | undefined {
	const id = terms.get(word)?.id ?? expandWord(word, (name) => terms.get(name), vocab);
	return id?.startsWith("@") ? undefined : id;
}

function expandId({ terms, base }: JsonLdContext, word: string): string | undefined {
	if (word.startsWith("_:") || word.startsWith("@")) return undefined;
	return expandPrefixed(word, (name) => terms.get(name)) ?? resolveIri(word, base);
}

function expandPrefixed(word: string, termAt: TermAt): string | undefined {
	return word.includes(":") ? (expandName(word, (prefix) => termAt(prefix)?.id) ?? word) : undefined;
}

function prefixesOf({ terms }: JsonLdContext): Map<string, string> {
	const prefixes = new Map<string, string>();
	for (const [name, { id }] of terms)
		if (/[#/:?[\]@]$/.test(id) && !name.includes(":")) prefixes.set(name, id);
	return prefixes;
}
