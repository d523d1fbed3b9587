import { bundledContext } from "../base/rdf/bundledContexts.ts";
import { isRecord, textOf } from "../base/values.ts";
import { resolveIri } from "./resolveIri.ts";

/** What the words of a JSON-LD object mean: as much of a context as names need. */
export interface JsonLdContext {
	readonly base: string;
	readonly vocab: string;
	readonly terms: ReadonlyMap<string, Term>;
}

interface Term {
	/** An IRI, or a keyword. */
	readonly id: string;
	/** How its values are read, where they are names. */
	readonly type: "@id" | "@vocab" | undefined;
	/** Only for what stands in its values. */
	readonly context: unknown;
}

const MAX_CONTEXTS = 20;

export function emptyContext(base: string): JsonLdContext {
	return { base, vocab: "", terms: new Map() };
}

/** The context with a `@context` on top of it. */
export function withContext(active: JsonLdContext, local: unknown, depth = 0): JsonLdContext {
	if (depth > MAX_CONTEXTS) return active;
	if (local === null) return emptyContext(active.base);
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

/** A name in a context that is being made: its prefixes may be defined further down. */
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

/** The IRI of a word that names a property or a class; nothing for keywords and for what no vocabulary has. */
export function expandTerm(context: JsonLdContext, word: string): string | undefined {
	const id =
		context.terms.get(word)?.id ?? expandPrefixed(context, word) ?? (context.vocab && context.vocab + word);
	return id === "" || id.startsWith("@") || word.startsWith("@") ? undefined : id;
}

/** The IRI of a word that names a thing. */
export function expandId(context: JsonLdContext, word: string): string | undefined {
	if (word.startsWith("_:") || word.startsWith("@")) return undefined;
	return expandPrefixed(context, word) ?? resolveIri(word, context.base);
}

function expandPrefixed({ terms }: JsonLdContext, word: string): string | undefined {
	const colon = word.indexOf(":");
	if (colon < 0) return undefined;
	const namespace = word.startsWith("//", colon + 1) ? undefined : terms.get(word.slice(0, colon))?.id;
	return namespace === undefined ? word : namespace + word.slice(colon + 1);
}

/** Namespaces by the words that stand for them. */
export function prefixesOf({ terms }: JsonLdContext): Map<string, string> {
	const prefixes = new Map<string, string>();
	for (const [name, { id }] of terms)
		if (/[#/:?[\]@]$/.test(id) && !name.includes(":")) prefixes.set(name, id);
	return prefixes;
}
