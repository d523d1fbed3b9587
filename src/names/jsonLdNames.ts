import { compactIri } from "./compact.ts";
import {
	emptyContext,
	expandId,
	expandTerm,
	type JsonLdContext,
	prefixesOf,
	withContext,
} from "./jsonLdContext.ts";
import { type JsonMember, type JsonNode, type JsonString, readJsonTree, toValue } from "./jsonTree.ts";
import type { NamedText, Names, WrittenName } from "./name.ts";
import { isIri } from "./resolveIri.ts";

/** What may follow the colon in JSON. */
const LOCAL = /^(?!\/\/)[^\s"\\]*$/;

/** Names in JSON-LD: ids, classes, and the words that stand for properties. */
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
	if (own) for (const [prefix, namespace] of prefixesOf(context)) found.prefixes.set(prefix, namespace);
	for (const member of members) if (member !== own) readMember(member, context, found);
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

/** How a string is read, and how one is written. */
interface Naming {
	readonly role: "class" | "property" | "thing";
	readonly read: (word: string) => string | undefined;
	readonly write: (iri: string) => string | undefined;
}

function addAll(node: JsonNode, found: Found, naming: Naming): void {
	if (node.kind === "string") add(node, found, naming);
	if (node.kind === "array") for (const item of node.items) addAll(item, found, naming);
}

function add({ value, start, end }: JsonString, { names }: Found, { role, read, write }: Naming): void {
	const iri = value === "" ? undefined : read(value);
	if (iri !== undefined) names.push({ iri, start, end, role, spell: write });
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
		write: (iri) => write(iri).find((word) => word && LOCAL.test(word) && expandTerm(context, word) === iri),
	};
}

function inFull(iri: string): string | undefined {
	return isIri(iri) ? iri : undefined;
}
