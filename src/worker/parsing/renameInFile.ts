import { isUtf8 } from "node:buffer";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { Failure } from "../../base/failure.ts";
import { readRegularFile } from "../../base/files/file.ts";
import { placeInNote, samePlace, TAGS } from "../../base/text/noteSyntax.ts";
import { firstIndex } from "../../base/values.ts";
import type { TextEdit } from "../../core/knowledge/graph.ts";
import { namedNode, type Quad, type Term, withTerms } from "../../core/knowledge/rdf.ts";
import { parseDocument } from "../../knowledge/formats.ts";
import { decodeText } from "../../knowledge/passages/decodeText.ts";
import { canonicalize, quadKey } from "../../knowledge/rdf/rdfDocument.ts";
import type { WrittenName } from "../../names/name.ts";
import { namesIn } from "../../names/names.ts";
import { MAX_BYTES } from "../files/refusal.ts";
import { filePathOf } from "../files/sources.ts";
import { type FileRenaming, type Renamed, renamedIri } from "./parserMessage.ts";

/** Returns the edits that rename a resource in a file. Throws if the edits would change any other statement. */
export async function renameInFile(file: FileRenaming): Promise<TextEdit[]> {
	const { uri, path, to: newName, text = readText(uri, path) } = file;
	const isMoved = uri === file.iri && new URL(".", uri).href !== new URL(".", newName).href;
	const { names } = namesIn({ uri, text });
	const spelling = isMoved ? namesIn({ uri: newName, text }).names : names;
	const isPlace = placeInNote(file.iri)[1] !== "";
	const spelled = names.flatMap((name, at): Replacement | never[] => {
		const { iri, start, end, place } = name;
		const now = renamedIri(iri, file) ?? (isMoved && isPathToFile(name, text) ? iri : undefined);
		if (now === undefined || (place && !isPlace)) return [];
		const by = spelling[at]?.spell(now);
		if (by !== undefined) return { start, end, text: by };
		const { line } = createPositions(text)(start);
		throw new Failure("BAD_INPUT", `<${newName}> cannot be written in ${path}, line ${line + 1}.`);
	});
	const positionOf = createPositions(text);
	const edits = [...spelled, ...(isMoved ? [] : keptNames(uri, text, spelled))]
		.sort((a, b) => a.start - b.start)
		.map((edit): TextEdit => ({ ...edit, from: positionOf(edit.start), to: positionOf(edit.end) }));
	if (edits.length > 0) requireWritable(uri, path);
	// A moved file is not checked, because its relative links resolve from another folder.
	if (!isMoved) await requireSame({ ...file, text }, edits);
	return edits;
}

type Replacement = Pick<TextEdit, "start" | "end" | "text">;

/** Respells names whose meaning the edits change: in microdata, a property depends on the class of its item. */
function keptNames(uri: string, text: string, edits: readonly Replacement[]): Replacement[] {
	const after = Map.groupBy(namesIn({ uri, text: applyEdits(text, edits) }).names, ({ start }) => start);
	const edited = new Set(edits.map(({ start }) => start));
	const moved = createMoves(edits);
	return namesIn({ uri, text }).names.flatMap(({ iri, start, end, spell, place }) => {
		const [now] = after.get(moved(start)) ?? [];
		if (edited.has(start) || place || now?.iri === iri) return [];
		const spelled = (now?.spell ?? spell)(iri);
		return spelled === undefined ? [] : [{ start, end, text: spelled }];
	});
}

function createMoves(edits: readonly Replacement[]): (offset: number) => number {
	let [at, growth] = [0, 0];
	return (offset) => {
		for (let edit = edits[at]; edit && edit.end <= offset; edit = edits[++at])
			growth += edit.text.length - (edit.end - edit.start);
		return offset + growth;
	};
}

/** Returns `false` for wikilinks, which find notes from any folder. */
function isPathToFile({ iri, start, place }: WrittenName, text: string): boolean {
	const path = iri.startsWith("file:") && !place ? filePathOf(iri) : undefined;
	return path !== undefined && !text.startsWith("[[", start - 2) && existsSync(path);
}

function createPositions(text: string): (offset: number) => TextEdit["from"] {
	const starts = [0];
	for (const { 0: end, index } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + end.length);
	return (offset) => {
		const line = firstIndex(starts.length, (at) => (starts[at] ?? 0) > offset) - 1;
		return { line, character: offset - (starts[line] ?? 0) };
	};
}

/** Throws if the file is not UTF-8 or UTF-16, because an editor would save other bytes as other characters. */
function readText(uri: string, shown: string): string {
	const path = filePathOf(uri);
	if (path === undefined) return "";
	const { bytes } = readRegularFile(path, MAX_BYTES);
	const text = decodeText(bytes) ?? "";
	const mark = Buffer.from(bytes.subarray(0, 2)).toString("hex");
	if (isUtf8(bytes) || mark === "fffe" || mark === "feff") return text;
	throw new Failure("BAD_INPUT", `${shown} is not in UTF-8. Save it as UTF-8 first; nothing was renamed.`);
}

/** Throws if a file is read-only, because the file would keep the old name while others change. */
function requireWritable(uri: string, shown: string): void {
	const path = filePathOf(uri);
	if (path === undefined || isWritable(path)) return;
	throw new Failure("BAD_INPUT", `${shown} is read-only. Make it writable first; nothing was renamed.`);
}

/** Returns `false` for a file without any write permission, even if the user is root. */
function isWritable(path: string): boolean {
	try {
		accessSync(path, constants.W_OK);
		return (statSync(path).mode & 0o222) !== 0;
	} catch {
		return false;
	}
}

/** Throws if the edits change other statements: some syntaxes compose names from parts. */
async function requireSame(
	{ uri, text, path, ...change }: Required<FileRenaming>,
	edits: readonly TextEdit[],
): Promise<void> {
	const edited = applyEdits(text, edits);
	const newUri = uri === change.iri ? change.to : uri;
	const [before, after] = await Promise.all([statementsOf(uri, text), statementsOf(newUri, edited)]);
	const wanted = keysOf(
		comparable(
			before.map((quad) => renamed(quad, change)),
			change,
		),
	);
	const missed = wanted.symmetricDifference(keysOf(comparable(after, change)));
	if (missed.size === 0) return;
	const [line = 1] = [...missed.values()].map((key) => Number(key.slice(0, key.indexOf(" "))));
	throw new Failure(
		"BAD_INPUT",
		`${path}, line ${line}, would mean something else with the new name; nothing was renamed.`,
	);
}

/** For places and tags, compares links only, because their texts change, and treats all spellings as equal. */
function comparable(quads: readonly Quad[], { iri }: Renamed): readonly Quad[] {
	if (!iri.startsWith(TAGS) && placeInNote(iri)[1] === "") return quads;
	return quads
		.filter(({ object }) => object.termType === "NamedNode")
		.map((quad) => ({ ...quad, object: namedNode(samePlace(quad.object.value)) }));
}

export function applyEdits(text: string, edits: readonly Replacement[]): string {
	return edits
		.toSorted((a, b) => b.start - a.start)
		.reduce((edited, { start, end, text: by }) => edited.slice(0, start) + by + edited.slice(end), text);
}

async function statementsOf(uri: string, text: string): Promise<readonly Quad[]> {
	const outcome = await parseDocument(uri, new TextEncoder().encode(text));
	return "document" in outcome ? outcome.document.quads : [];
}

/** Blank nodes get canonical labels, because their labels depend on their statements. */
function keysOf(quads: readonly Quad[]): Set<string> {
	return new Set(canonicalize(quads).map((quad) => `${quad.lines.start} ${quadKey(quad)}`));
}

function renamed(quad: Quad, change: Renamed): Quad {
	const rename = <Named extends Term>(term: Named): Named => {
		const value = term.termType === "NamedNode" ? renamedIri(term.value, change) : undefined;
		return value === undefined ? term : { ...term, value };
	};
	return { ...withTerms(quad, rename), predicate: rename(quad.predicate) };
}
