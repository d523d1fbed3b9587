import { createHash } from "node:crypto";
import { isGone, readRegularFile } from "../../base/files/file.ts";
import { numeral } from "../../base/text/plural.ts";
import type { ParsedDocument } from "../../core/knowledge/document.ts";
import type { Quad, Term } from "../../core/knowledge/rdf.ts";
import { formatFor, parseDocument } from "../../knowledge/formats.ts";
import type { SentTerms } from "../../search/termCounts.ts";
import { largestOf, reasonOf } from "../files/refusal.ts";
import type { FileAnswer, FileFacts, FileRequest } from "./parserMessage.ts";
import type { PassageReader } from "./passageReader.ts";

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
	const reading = read(request);
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

type Reading =
	| { readonly kind: "read"; readonly bytes: Uint8Array; readonly facts?: FileFacts }
	| Extract<FileAnswer, { kind: "gone" | "leftOut" }>;

function read({ uri, path }: FileRequest): Reading {
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
