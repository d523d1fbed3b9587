import { readFile } from "node:fs/promises";
import * as vscode from "vscode";
import { once } from "../../base/jobs/lazily.ts";
import { tokensOf } from "../../base/rdf/sparqlTokens.ts";
import { localNameOf, namespaceOf, SCHEMA, splitWords } from "../../base/rdf/vocabulary.ts";
import { NOTE, TAGS } from "../../base/text/noteSyntax.ts";
import { wordList } from "../../base/words/wordList.ts";
import type { FoundThing, ThingKind } from "../../core/knowledge/graph.ts";
import { compactIri, isIri } from "../../names/iris.ts";
import { nameAt, type WrittenName } from "../../names/name.ts";
import { namesIn } from "../../names/names.ts";
import { agentDocuments } from "../agents/agentDocuments.ts";
import { signalOf } from "../cancellation.ts";
import { CHANNEL, fileUriOf, isQuery, type LanguageDeps, namesOf } from "./namedDocument.ts";

export type Vocabularies = ReturnType<typeof openVocabularies>;

const MOST_ITEMS = 50;

const TURTLE = /\.(?:ttl|turtle|n3|trig|nt|nq|rq|sparql)$/i;

export function createCompletion({ things }: LanguageDeps, vocabularies: Vocabularies) {
	const itemsFor = async (document: vscode.TextDocument, wanted: Wanted, signal: AbortSignal) => {
		const { words, kinds, within } = wanted;
		const query = { words, kinds, limit: MOST_ITEMS, ...(within && { within }), ...CHANNEL };
		const found = await things.find(query, signal);
		const known = await vocabularies.find(wanted);
		const others = known.filter(({ id }) => found.every((thing) => thing.id !== id));
		const items = [...found, ...others].flatMap((thing) => toItem(document, thing, wanted));
		return items.map((item, rank) => Object.assign(item, { sortText: String(rank).padStart(4, "0") }));
	};
	return {
		provideCompletionItems: async (document, position, token) => {
			// The fields of agent files do not name resources.
			if (vscode.languages.match(agentDocuments(), document) > 0) return undefined;
			const signal = signalOf(token);
			const isTurtle = TURTLE.test(document.uri.path);
			const known = isTurtle ? await things.prefixes(CHANNEL, signal) : {};
			const words = isQuery(document) ? queryWords(document, position) : [];
			const wanted = isTurtle ? wantedInTurtle(document, position, known) : wantedWord(document, position);
			const named = wanted ? await itemsFor(document, wanted, signal) : [];
			return new vscode.CompletionList([...named, ...words], wanted !== undefined);
		},
	} satisfies vscode.CompletionItemProvider;
}

const ITEMS: Readonly<Record<ThingKind, vscode.CompletionItemKind>> = {
	class: vscode.CompletionItemKind.Class,
	property: vscode.CompletionItemKind.Property,
	thing: vscode.CompletionItemKind.Value,
};

function toItem(document: vscode.TextDocument, thing: Term, wanted: Wanted): vscode.CompletionItem[] {
	const spelled = wanted.spell(thing);
	if (!spelled) return [];
	const { id, label, kind, types, alias, comment } = thing;
	const description = alias === undefined ? types.join(", ") : label;
	const item = new vscode.CompletionItem({ label: alias ?? label, description }, ITEMS[kind]);
	item.insertText = spelled;
	item.range = wanted.range;
	// VS Code must not filter the items again, because the index matches by more than letters.
	item.filterText = document.getText(wanted.range);
	item.detail = id;
	if (comment) item.documentation = comment;
	item.additionalTextEdits = wanted.editsFor?.(spelled) ?? [];
	return [item];
}

const WORDS = wordList(`
	SELECT CONSTRUCT DESCRIBE ASK WHERE PREFIX BASE DISTINCT REDUCED FROM NAMED OPTIONAL UNION MINUS GRAPH SERVICE FILTER
	EXISTS NOT BIND AS VALUES UNDEF GROUP BY HAVING ORDER ASC DESC LIMIT OFFSET IN COUNT SUM MIN MAX AVG SAMPLE
	GROUP_CONCAT SEPARATOR STR LANG LANGMATCHES DATATYPE BOUND IRI URI BNODE RAND ABS CEIL FLOOR ROUND CONCAT STRLEN
	UCASE LCASE ENCODE_FOR_URI CONTAINS STRSTARTS STRENDS STRBEFORE STRAFTER YEAR MONTH DAY HOURS MINUTES SECONDS
	TIMEZONE TZ NOW UUID STRUUID MD5 SHA1 SHA256 SHA384 SHA512 COALESCE IF STRLANG STRDT SAMETERM ISIRI ISBLANK
	ISLITERAL ISNUMERIC REGEX SUBSTR REPLACE TRUE FALSE
`);

/** Completes variables of the query after `?`, and keywords after the first letters of a word. */
function queryWords(document: vscode.TextDocument, position: vscode.Position): vscode.CompletionItem[] {
	const line = document.lineAt(position).text.slice(0, position.character);
	const [typed = ""] = /(?:^|(?<=[\s(){}!,;.|&=<>+*/-]))(?:[?$]\w*|[A-Za-z]\w*)$/.exec(line) ?? [];
	const here = document.offsetAt(position);
	const tokens = tokensOf(document.getText());
	if (typed === "" || tokens.some(({ kind, start, end }) => kind === "string" && start < here && here < end))
		return [];
	const isVariable = /^[?$]/.test(typed);
	const others = tokens.filter(({ kind, end }) => kind === "variable" && end !== here);
	const names = isVariable ? new Set(others.map(({ text }) => typed[0] + text.slice(1))) : WORDS;
	const { Variable, Keyword } = vscode.CompletionItemKind;
	return Array.from(names, (name) => {
		const item = new vscode.CompletionItem(name, isVariable ? Variable : Keyword);
		item.range = new vscode.Range(position.translate(0, -typed.length), position);
		// List names from documents first.
		item.sortText = `z${name}`;
		return item;
	});
}

export type TermRow = readonly [iri: string, kind: "class" | "property", label: string, comment: string];

/** A described resource, or a term of a common vocabulary, which documents need not describe. */
interface Term extends FoundThing {
	readonly comment?: string;
}

/** Minimum number of letters before terms are offered without a prefix. */
const LEAST = 2;

const MOST = 30;

/** Terms of schema.org, FOAF, DCTERMS, SKOS, PROV, OWL and SHACL, from a bundled file. */
export function openVocabularies(path: string) {
	const terms = once(async () => {
		const rows = JSON.parse(await readFile(path, "utf8")) as readonly TermRow[];
		return new Map(
			rows.map(([iri, kind, label, comment]) => {
				const id = inHttps(iri);
				const name = label || splitWords(localNameOf(id));
				return [id, { id, kind, label: name, types: [namespaceOf(id)], comment }];
			}),
		);
	});
	return {
		find: async ({ words, kinds, within = "" }: Wanted): Promise<Term[]> => {
			const typed = words.toLowerCase();
			if (typed.length < LEAST && within === "") return [];
			const isMeant = ({ id, kind, label }: Term) =>
				kinds.includes(kind) &&
				id.startsWith(inHttps(within)) &&
				[localNameOf(id), label].some((name) => name.toLowerCase().startsWith(typed));
			const found = [...(await terms.get()).values().filter(isMeant)];
			const isHttp = within !== inHttps(within);
			return found
				.sort((a, b) => a.label.length - b.label.length)
				.slice(0, MOST)
				.map((term) => (isHttp ? { ...term, id: term.id.replace(/^https/, "http") } : term));
		},
		describe: async (iri: string): Promise<Term | undefined> => (await terms.get()).get(inHttps(iri)),
	};
}

/** Replaces `http:` in IRIs of schema.org, which are written with both schemes. */
function inHttps(iri: string): string {
	return iri.replace(/^http:\/\/schema\.org\//, SCHEMA);
}

interface Wanted {
	readonly words: string;
	readonly range: vscode.Range;
	readonly kinds: readonly ThingKind[];
	/** Prefix that offered IRIs must have. */
	readonly within?: string;
	/** The text to insert for a resource; `undefined` if the resource has no valid name there. */
	spell(thing: FoundThing): string | undefined;
	/** Other edits that the document needs for the inserted text, such as a declaration. */
	editsFor?(spelled: string): vscode.TextEdit[];
}

const ALL_KINDS: readonly ThingKind[] = ["class", "property", "thing"];

function wantedWord(document: vscode.TextDocument, position: vscode.Position): Wanted | undefined {
	const line = document.lineAt(position).text.slice(0, position.character);
	if (/\[\[[^\]|#]*$/.test(line)) return wantedNote(document, position);
	const isMarkdown = NOTE.test(fileUriOf(document.uri));
	const wantedTag = isMarkdown ? tagWanted(position, line) : undefined;
	if (wantedTag) return wantedTag;
	const isValue = isMarkdown && /^\s*(?:[\w@.-]+:[ \t]+|-[ \t]+)[^\s"'[\]]*$/.test(line);
	const [typed = ""] = (isValue ? /\S*$/ : /[^\s"'<>()[\]]*$/).exec(line) ?? [];
	const offset = document.offsetAt(position);
	const rest = document.lineAt(position).text.slice(position.character);
	const end = offset + (/^[^\s"'<>()[\]|#]*/.exec(rest)?.[0].length ?? 0);
	const start = offset - typed.length;
	const name = nameIfTyped(document, { start, end, text: "urn:x" });
	if (name?.end !== start + "urn:x".length || name.place) return undefined;
	return {
		words: localNameOf(typed),
		range: new vscode.Range(document.positionAt(start), document.positionAt(end)),
		kinds: name.role ? kindsOf(name.role) : ALL_KINDS,
		spell: ({ id }) => name.spell(id),
	};
}

function tagWanted(position: vscode.Position, line: string): Wanted | undefined {
	const [, words] = /(?<!\S)#([\p{L}\p{N}_/-]+)$/u.exec(line) ?? [];
	if (words === undefined) return undefined;
	return {
		words,
		range: new vscode.Range(position.translate(0, -words.length), position),
		kinds: ALL_KINDS,
		within: TAGS,
		spell: ({ label }) => label.slice(1),
	};
}

/** Completes the name of a note in brackets, which need not be closed yet. */
function wantedNote(document: vscode.TextDocument, position: vscode.Position): Wanted | undefined {
	const line = document.lineAt(position).text.slice(0, position.character);
	const [typed = ""] = /[^[\]]*$/.exec(line) ?? [];
	const end = document.offsetAt(position);
	const start = end - typed.length;
	const closing = /^[^[\]]*\]\]/.test(document.lineAt(position).text.slice(position.character)) ? "" : "]]";
	const name = nameIfTyped(document, { start, end, text: `x${closing}` });
	return (
		name && {
			words: typed,
			range: new vscode.Range(document.positionAt(start), position),
			kinds: ALL_KINDS,
			spell: ({ id, place, alias }) => {
				const note = name.spell(id.startsWith("file:") ? id : (place?.uri ?? id));
				const isWord = alias !== undefined && !/[[\]|\n]/.test(alias);
				return note && note + (isWord ? `|${alias}` : "") + closing;
			},
		}
	);
}

/** The name that would be read if the text were typed here. The role of the name decides what is offered. */
function nameIfTyped(
	document: vscode.TextDocument,
	{ start, end, text: typed }: { readonly start: number; readonly end: number; readonly text: string },
): WrittenName | undefined {
	const text = document.getText();
	const edited = text.slice(0, start) + typed + text.slice(end);
	return nameAt(namesIn({ uri: fileUriOf(document.uri), text: edited }).names, start);
}

function kindsOf(role: NonNullable<WrittenName["role"]>): ThingKind[] {
	return role === "thing" ? ["thing", "class"] : [role];
}

function wantedInTurtle(
	document: vscode.TextDocument,
	position: vscode.Position,
	known: Readonly<Record<string, string>>,
): Wanted | undefined {
	const line = document.lineAt(position).text.slice(0, position.character);
	const [typed, iri, prefix, local = ""] =
		/(?:<([^<>"\s]*)|(?:([\p{L}][\w.-]*)?:)?([\p{L}\p{N}_-]*))$/u.exec(line) ?? [];
	const before = line.slice(0, line.length - (typed?.length ?? 0));
	if (typed === undefined || typed === "" || /[?$@#"'\\]$/.test(before) || isInText(before)) return undefined;
	const declared = namesOf(document).prefixes;
	const all = new Map([...Object.entries(known), ...declared]);
	const within = prefix !== undefined || typed.startsWith(":") ? all.get(prefix ?? "") : undefined;
	return {
		words: iri === undefined ? local : localNameOf(iri),
		range: new vscode.Range(position.translate(0, -typed.length), position),
		kinds: /(?:^|[\s;])a\s+(?:[^\s;.]+\s*,\s*)*$/.test(before) ? ["class"] : ALL_KINDS,
		...(within !== undefined && { within }),
		spell: ({ id }) => {
			// Characters that are valid in another syntax could end the IRI here, and inject more.
			if (!isIri(id)) return undefined;
			const short = iri === undefined ? (compactIri(id, declared) ?? compactIri(id, all)) : undefined;
			return short ?? `<${id}>`;
		},
		editsFor: (spelled) =>
			spelled.startsWith("<") || declared.has(prefixOf(spelled)) ? [] : [declaration(document, spelled, all)],
	};
}

export function prefixOf(name: string): string {
	return name.slice(0, name.indexOf(":"));
}

/** Whether the cursor is inside a string: the line has an odd number of quotation marks before it. */
function isInText(before: string): boolean {
	return (before.replace(/\\./g, "").match(/"/g)?.length ?? 0) % 2 === 1;
}

export function declaration(document: vscode.TextDocument, name: string, known: ReadonlyMap<string, string>) {
	const prefix = prefixOf(name);
	const declared = `${prefix}: <${known.get(prefix) ?? ""}>`;
	const text = isQuery(document) ? `PREFIX ${declared}\n` : `@prefix ${declared} .\n`;
	const first = document.getText(new vscode.Range(0, 0, 200, 0)).split("\n");
	const line = first.findLastIndex((each) => /^\s*@?(?:prefix|base)\b/i.test(each)) + 1;
	return vscode.TextEdit.insert(new vscode.Position(line, 0), text);
}
