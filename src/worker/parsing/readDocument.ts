import { createHash } from "node:crypto";
import { isGone, readRegularFile } from "../../base/files/file.ts";
import { detectLanguage } from "../../base/language/detect.ts";
import type { Language } from "../../base/language/languages.ts";
import { numeral } from "../../base/text/plural.ts";
import { createTextReader, type Reading } from "../../base/words/textReader.ts";
import type { ParsedDocument, Passage } from "../../core/knowledge/document.ts";
import type { Quad, Term } from "../../core/knowledge/rdf.ts";
import type { StaticEmbedder } from "../../embed/builtIn/staticEmbedder.ts";
import type { Tokens } from "../../embed/builtIn/tokenizer.ts";
import { formatFor, parseDocument } from "../../knowledge/formats.ts";
import {
	markOf,
	NAME_JOINERS,
	type Name,
	nameOf,
	namesIn,
	termsOfName,
	withShortNames,
} from "../../search/analyzer.ts";
import { createTermCounter, type SentTerms } from "../../search/termCounts.ts";
import { largestOf, reasonOf } from "../files/refusal.ts";
import type { FileAnswer, FileFacts, FileRequest } from "./parserMessage.ts";

/** Limits of the indexed content of one file, so that it leaves memory for all other files. */
const LIMITS = {
	statements: 1_500_000,
	statementCharacters: 300_000_000,
	passages: 100_000,
	passageCharacters: 64_000_000,
	resources: 200_000,
	problems: 1000,
};

/** Never rejects because a file is invalid or changes while it is read. */
export async function readDocument(
	request: FileRequest,
	reader: PassageReader,
): Promise<FileAnswer<SentTerms>> {
	const reading = readBytes(request);
	if (reading.kind !== "read") return reading;
	const { bytes, facts } = reading;
	if (facts && facts.hash === request.knownHash) return { kind: "unchanged" };
	const outcome = await parseDocument(request.uri, bytes);
	if ("skipped" in outcome) {
		return { kind: "leftOut", state: { kind: "skipped", reason: outcome.skipped }, ...(facts && { facts }) };
	}
	const { format } = outcome;
	const document = withinLimits(outcome.document);
	return {
		kind: "parsed",
		...(facts && { facts }),
		format,
		document,
		...reader.read(document.passages),
	};
}

type ReadBytes =
	| { readonly kind: "read"; readonly bytes: Uint8Array; readonly facts?: FileFacts }
	| Extract<FileAnswer, { kind: "gone" | "leftOut" }>;

function readBytes({ uri, path }: FileRequest): ReadBytes {
	// Do not read files that the parser skips by name, such as videos.
	if (!formatFor(uri)) return { kind: "read", bytes: new Uint8Array() };
	try {
		const { bytes, modifiedMs } = readRegularFile(path, largestOf(path));
		const hash = createHash("sha256").update(bytes).digest("hex");
		return { kind: "read", bytes, facts: { hash, size: bytes.length, modifiedMs } };
	} catch (thrown) {
		if (isGone(thrown)) return { kind: "gone" };
		return { kind: "leftOut", state: { kind: "failed", reason: reasonOf(thrown) } };
	}
}

export function withinLimits(document: ParsedDocument, limits = LIMITS): ParsedDocument {
	const parts = {
		statements: cut(document.quads, limits.statements, limits.statementCharacters, lengthOfQuad),
		passages: cut(
			document.passages,
			limits.passages,
			limits.passageCharacters,
			({ title, text }) => title.length + text.length,
		),
		resources: document.resources.slice(0, limits.resources),
	};
	const problems = document.problems.slice(0, limits.problems);
	const found = { statements: document.quads, passages: document.passages, resources: document.resources };
	const left = (["statements", "passages", "resources"] as const)
		.filter((kind) => parts[kind].length < found[kind].length)
		.map((kind) => PART[kind](numeral(parts[kind].length), numeral(found[kind].length)));
	const { statements: quads, passages, resources } = parts;
	if (left.length === 0) return { ...document, problems };
	const message = `This file is too large: only ${left.join(" and ")} are in the index. Split it into smaller files.`;
	const told = { severity: "error", message, lines: { start: 1, end: 1 } } as const;
	return { ...document, quads, passages, resources, problems: [told, ...problems] };
}

function cut<Item>(
	items: readonly Item[],
	most: number,
	mostCharacters: number,
	lengthOf: (item: Item) => number,
): readonly Item[] {
	let left = mostCharacters;
	const end = items.findIndex((item, index) => {
		left -= lengthOf(item);
		return left < 0 || index >= most;
	});
	return end < 0 ? items : items.slice(0, end);
}

function lengthOfQuad({ subject, predicate, object }: Quad): number {
	const lengths = [subject, predicate, object].map(({ value }: Term) => value.length);
	return lengths.reduce((sum, length) => sum + length, 0);
}

const PART = {
	statements: (some: string, all: string) => `${some} of ${all} statements`,
	passages: (some: string, all: string) => `${some} of ${all} passages`,
	resources: (some: string, all: string) => `${some} of ${all} resources`,
} as const;

export type PassageReader = ReturnType<typeof createPassageReader>;

/** `terms` are the numbers of the name's terms in `language`, the language of the last passage with the name. */
interface KnownName extends Name {
	readonly tokens: Tokens;
	language: Language | undefined;
	terms: readonly number[];
	/** Number of occurrences in the current passage; 0 between passages. */
	times: number;
}

const NO_TOKENS: Tokens = { english: [], other: [], foreignness: 0 };
const NO_TERMS: readonly number[] = [];

export function createPassageReader(embedder: StaticEmbedder | undefined) {
	let words = createWords(embedder);
	return {
		read: (passages: readonly Passage[]) => {
			if (words.counter.isFull) words = createWords(embedder);
			return readPassages(passages, words, embedder);
		},
	};
}

function createWords(embedder: StaticEmbedder | undefined) {
	const counter = createTermCounter();
	const names = createTextReader<KnownName>({
		understand: (found) => ({
			...nameOf(found),
			tokens: embedder?.tokensOfName(found) ?? NO_TOKENS,
			language: undefined,
			terms: NO_TERMS,
			times: 0,
		}),
		joiners: NAME_JOINERS,
	});
	return { counter, names, readTerms };

	/** A text of undecided language counts as English, so that the terms of its names are not computed again. */
	function readTerms(found: readonly KnownName[], language: Language = "en"): void {
		for (const name of found) {
			if (name.language === language) continue;
			name.terms = counter.numbersOf(termsOfName(name, language));
			name.language = language;
		}
	}
}

/** Returns the unit vectors of the passages, concatenated; empty without an embedder. */
function readPassages(
	passages: readonly Passage[],
	{ counter, names, readTerms }: ReturnType<typeof createWords>,
	embedder: StaticEmbedder | undefined,
) {
	const dimensions = embedder?.dimensions ?? 0;
	const vectors = new Float32Array(passages.length * dimensions);
	for (const [index, { title, text }] of passages.entries()) {
		const content = withShortNames(`${title}\n${text}`);
		const found = countEach(names.read(content));
		const language = detectLanguage(found.written);
		const named = namesIn(found, language);
		readTerms(named, language);
		counter.add(named, language && markOf(language));
		const vector = vectors.subarray(index * dimensions, (index + 1) * dimensions);
		embedder?.addUp(embedder.isMadeOfNames(content) ? found : embedder.read(content), vector);
		forgetCounts(found);
	}
	return { vectors, embedder: embedder?.id, terms: counter.take() };
}

/** Keeps the first occurrence of every name and counts the others, so that later steps process fewer words. */
function countEach({ folded, written }: Reading<KnownName>): Reading<KnownName> {
	const counted = different(folded);
	return { folded: counted, written: folded === written ? counted : different(written) };
}

function different(names: readonly KnownName[]): readonly KnownName[] {
	const found: KnownName[] = [];
	for (const name of names) {
		if (name.times === 0) found.push(name);
		name.times++;
	}
	return found;
}

function forgetCounts({ folded, written }: Reading<KnownName>): void {
	for (const name of folded) name.times = 0;
	for (const name of written) name.times = 0;
}
