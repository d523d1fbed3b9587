import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as vscode from "vscode";
import { decodedPart } from "../../base/rdf/vocabulary.ts";
import { NOTE, placeInNote, samePlace, TAGS } from "../../base/text/noteSyntax.ts";
import type { Place, Things } from "../../core/knowledge/graph.ts";
import type { WrittenName } from "../../names/name.ts";
import { namesIn } from "../../names/names.ts";
import { signalOf } from "../cancellation.ts";
import { linesRange } from "../folders.ts";
import { CHANNEL, fileUriOf, type LanguageDeps, nameUnder } from "./namedDocument.ts";

/** Maximum number of files to read for exact positions of names. */
const READ_FILES = 1000;

export function locationOf({ uri, lines }: Place): vscode.Location {
	return new vscode.Location(vscode.Uri.parse(uri), linesRange(lines));
}

/**
 * Exact positions of a resource's name within lines that name it, or whole lines if the name is not found.
 * Notes, tags, headings and blocks are found by their links; `withPlace` adds the heading or block itself.
 */
export async function narrowed(
	iri: string,
	places: readonly Place[],
	things: Things,
	withPlace = false,
): Promise<vscode.Location[]> {
	const [wanted = iri] = await meanings([iri], things);
	const isTag = iri.startsWith(TAGS);
	return inEachFile(places, async (uri, own) => {
		const { text, names } = await read(uri);
		const iris = names.map((name) => name.iri);
		const meant = wanted.startsWith("file:") ? await meanings(iris, things) : iris;
		const isWanted = (name: WrittenName, at: number) =>
			(withPlace || name.place !== "here") &&
			(meant[at] === wanted || (isTag && meant[at]?.startsWith(`${wanted}/`)));
		const ranges = rangesOf(text, names.filter(isWanted));
		if (placeInNote(wanted)[1] !== "") return ranges;
		if (ranges.length > 0 && (isTag || wanted.startsWith("file:"))) return ranges;
		const found = own.flatMap(({ lines }) => {
			const whole = linesRange(lines);
			const exact = ranges.filter((range) => whole.contains(range));
			return exact.length > 0 ? exact : [whole];
		});
		return new Map(found.map((range) => [`${range.start.line} ${range.start.character}`, range])).values();
	});
}

/** Resolves links to notes: to the note's IRI, with headings and blocks in one spelling. */
async function meanings(iris: readonly string[], things: Things): Promise<string[]> {
	const files = [...new Set(iris.filter((iri) => iri.startsWith("file:")).map(fileIn))];
	if (files.length === 0) return [...iris];
	const notes = await things.notes({ iris: files, ...CHANNEL }, new AbortController().signal);
	return iris.map((iri) =>
		samePlace((notes[fileIn(iri)]?.[0] ?? fileIn(iri)) + iri.slice(fileIn(iri).length)),
	);
}

function fileIn(iri: string): string {
	return iri.startsWith("file:") ? (iri.split("#", 1)[0] ?? iri) : iri;
}

/** Where a resource is introduced: its first name in each description, or else the beginning of the description. */
async function introductions(iri: string, places: readonly Place[]): Promise<vscode.Location[]> {
	return inEachFile(places, async (uri, own) => {
		const { text, names } = await read(uri);
		const ofThing = names.filter((name) => name.iri === iri);
		const ranges = rangesOf(text, ofThing);
		const wholes = own.map(({ lines }) => linesRange(lines));
		const named = wholes.flatMap((whole) => ranges.find((range) => whole.contains(range)) ?? []);
		return named.length > 0 ? named : wholes.slice(0, 1);
	});
}

async function locateInNote(note: string, place: string): Promise<vscode.Location> {
	const { text, names } = await read(note);
	const here = names.find((name) => name.place === "here" && samePlace(name.iri) === samePlace(note + place));
	const [range = new vscode.Range(0, 0, 0, 0)] = here ? rangesOf(text, [here]) : [];
	return new vscode.Location(vscode.Uri.parse(note), range);
}

async function inEachFile(
	places: readonly Place[],
	rangesIn: (uri: string, own: readonly Place[]) => Promise<Iterable<vscode.Range>>,
): Promise<vscode.Location[]> {
	const byFile = [...Map.groupBy(places, ({ uri }) => uri)];
	const locations = await Promise.all(
		byFile.map(async ([uri, own], at) => {
			if (at >= READ_FILES) return own.map(locationOf);
			const file = vscode.Uri.parse(uri);
			return Array.from(await rangesIn(uri, own), (range) => new vscode.Location(file, range));
		}),
	);
	return locations.flat();
}

async function read(uri: string) {
	const open = vscode.workspace.textDocuments.find((document) => fileUriOf(document.uri) === uri);
	const text = open?.getText() ?? (await readFile(fileURLToPath(uri), "utf8").catch(() => ""));
	return { text, names: namesIn({ uri, text }).names };
}

function rangesOf(text: string, names: readonly WrittenName[]): vscode.Range[] {
	const lineEnds = text.matchAll(/\r\n|\r|\n/g);
	const lineStarts = [0, ...Array.from(lineEnds, ({ 0: end, index }) => index + end.length)];
	const toPosition = (offset: number) => {
		const line = lineStarts.findLastIndex((start) => start <= offset);
		return new vscode.Position(line, offset - (lineStarts[line] ?? 0));
	};
	return names.map(({ start, end }) => new vscode.Range(toPosition(start), toPosition(end)));
}

export function createPlaces({ things }: LanguageDeps) {
	return {
		/** Returns where each file introduces the resource; for a note, the file, heading or block. */
		provideDefinition: async (document, position, token) => {
			const found = nameUnder(document, position);
			if (!found) return undefined;
			const locations = await locate(found.name, things, signalOf(token));
			return locations.map(({ uri, range }) => ({
				originSelectionRange: found.range,
				targetUri: uri,
				targetRange: range,
			}));
		},
		/** Every statement that points to the resource and, if requested, its description. */
		provideReferences: async (document, position, { includeDeclaration }, token) => {
			const found = nameUnder(document, position);
			if (!found) return undefined;
			const { iri, place } = found.name;
			const query = { iri, ...CHANNEL };
			const signal = signalOf(token);
			const pointers = await things.pointers(query, signal);
			if (place) {
				// A note may link to its own headings and blocks.
				const { [iri]: [note] = [] } = await things.notes({ iris: [iri], ...CHANNEL }, signal);
				const places = note ? [...pointers, firstLineOf(note)] : pointers;
				return narrowed(iri, places, things, includeDeclaration);
			}
			const view = includeDeclaration ? await things.describe(query, signal) : undefined;
			const named = await narrowed(iri, pointers, things, includeDeclaration);
			return [...named, ...(view?.places ?? []).map(locationOf)];
		},
	} satisfies vscode.DefinitionProvider & vscode.ReferenceProvider;
}

async function locate(name: WrittenName, things: Things, signal: AbortSignal): Promise<vscode.Location[]> {
	const { iri, place } = name;
	const view = await things.describe({ iri, ...CHANNEL }, signal);
	if (!place && view && !NOTE.test(view.id) && view.places.length > 0)
		return introductions(view.id, view.places);
	const notes = await things.notes({ iris: [iri], ...CHANNEL }, signal);
	const fragment = place ? iri.slice(iri.indexOf("#")) : "";
	const found = await Promise.all((notes[iri] ?? []).map((note) => locateInNote(note, fragment)));
	return found.length > 0 ? found : (await placeOfFile(iri)).map(locationOf);
}

async function placeOfFile(iri: string): Promise<Place[]> {
	if (!iri.startsWith("file:")) return [];
	const [uri = ""] = iri.split("#", 1);
	if (existsSync(fileURLToPath(uri))) return [firstLineOf(uri)];
	// Images and other attachments are found by their names, as notes are.
	const name = decodedPart(uri.slice(uri.lastIndexOf("/") + 1)).replace(/[*?{}[\]]/g, "[$&]");
	const found = await vscode.workspace.findFiles(`**/${name}`, undefined, 1);
	return found.map((file) => firstLineOf(file.toString()));
}

function firstLineOf(uri: string): Place {
	return { uri, lines: { start: 1, end: 1 } };
}
