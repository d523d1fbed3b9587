import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as vscode from "vscode";
import type { LineRange } from "../../core/knowledge/citation.ts";
import type { Place } from "../../core/knowledge/graph.ts";
import { namesIn } from "../../names/names.ts";
import { fileUriOf } from "./namedDocument.ts";

/** Editors clamp it to the line's length. */
const LINE_END = 10_000;

/** Maximum number of files to read for exact positions of names. */
const READ_FILES = 100;

export function linesRange({ start, end }: LineRange): vscode.Range {
	return new vscode.Range(Math.max(0, start - 1), 0, Math.max(0, end - 1), LINE_END);
}

export function locationOf({ uri, lines }: Place): vscode.Location {
	return new vscode.Location(vscode.Uri.parse(uri), linesRange(lines));
}

/** Exact positions of a resource's name within lines that name it; the lines themselves if it is not found. */
export async function narrowed(iri: string, places: readonly Place[]): Promise<vscode.Location[]> {
	return inEachFile(places, async (uri, own) => {
		const ranges = await rangesOf(iri, uri);
		const found = own.flatMap(({ lines }) => {
			const whole = linesRange(lines);
			const exact = ranges.filter((range) => whole.contains(range));
			return exact.length > 0 ? exact : [whole];
		});
		return new Map(found.map((range) => [`${range.start.line} ${range.start.character}`, range])).values();
	});
}

/** Where a resource is introduced: the first name in each description, or the beginning of what a file says without naming it. */
export async function introductions(iri: string, places: readonly Place[]): Promise<vscode.Location[]> {
	return inEachFile(places, async (uri, own) => {
		const ranges = await rangesOf(iri, uri);
		const wholes = own.map(({ lines }) => linesRange(lines));
		const named = wholes.flatMap((whole) => ranges.find((range) => whole.contains(range)) ?? []);
		return named.length > 0 ? named : wholes.slice(0, 1);
	});
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

async function rangesOf(iri: string, uri: string): Promise<vscode.Range[]> {
	const text = await textOf(uri);
	const lineStarts = [
		0,
		...Array.from(text.matchAll(/\r\n|\r|\n/g), ({ 0: end, index }) => index + end.length),
	];
	const toPosition = (offset: number) => {
		const line = lineStarts.findLastIndex((start) => start <= offset);
		return new vscode.Position(line, offset - (lineStarts[line] ?? 0));
	};
	return namesIn({ uri, text })
		.names.filter((name) => name.iri === iri)
		.map(({ start, end }) => new vscode.Range(toPosition(start), toPosition(end)));
}

/** The text in an editor, else on the disk; empty if the file is gone. */
async function textOf(uri: string): Promise<string> {
	const open = vscode.workspace.textDocuments.find((document) => fileUriOf(document.uri) === uri);
	return open?.getText() ?? readFile(fileURLToPath(uri), "utf8").catch(() => "");
}
