import { readFile } from "node:fs/promises";
import * as vscode from "vscode";
import { once } from "../../base/jobs/lazily.ts";
import { tokensOf } from "../../base/rdf/sparqlTokens.ts";
import { localNameOf, namespaceOf, SCHEMA, splitWords } from "../../base/rdf/vocabulary.ts";
import { wordList } from "../../base/words/wordList.ts";
import type { FoundThing, ThingKind } from "../../core/knowledge/graph.ts";
import { agentDocuments } from "../agents/liveAgents.ts";
import { signalOf } from "../cancellation.ts";
import { CHANNEL, isQuery, type LanguageDeps } from "./namedDocument.ts";
import { type Wanted, wantedInTurtle, wantedWord } from "./wanted.ts";

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

type Term = FoundThing & { readonly comment?: string };

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

/** A term of a common vocabulary, which documents need not describe. */
interface KnownTerm extends FoundThing {
	readonly comment: string;
}

/** Minimum number of letters before terms are offered without a prefix. */
const LEAST = 2;

const MOST = 30;

/** Terms of schema.org, FOAF, DCTERMS, SKOS, PROV, OWL and SHACL, from a bundled file. */
export function openVocabularies(path: string) {
	const terms = once(async () => {
		const rows = JSON.parse(await readFile(path, "utf8")) as readonly TermRow[];
		return new Map(rows.map(toTerm).map((term) => [term.id, term]));
	});
	return {
		find: async ({ words, kinds, within = "" }: Wanted): Promise<KnownTerm[]> => {
			const typed = words.toLowerCase();
			if (typed.length < LEAST && within === "") return [];
			const isMeant = ({ id, kind, label }: KnownTerm) =>
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
		describe: async (iri: string): Promise<KnownTerm | undefined> => (await terms.get()).get(inHttps(iri)),
	};
}

function toTerm([iri, kind, label, comment]: TermRow): KnownTerm {
	const id = inHttps(iri);
	return { id, kind, label: label || splitWords(localNameOf(id)), types: [namespaceOf(id)], comment };
}

/** Replaces `http:` in IRIs of schema.org, which are written with both schemes. */
function inHttps(iri: string): string {
	return iri.replace(/^http:\/\/schema\.org\//, SCHEMA);
}
