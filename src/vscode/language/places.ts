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
	const byFile = [...Map.groupBy(places, ({ uri }) => uri)];
	const locations = await Promise.all(
		byFile.map(([uri, own], at) => (at < READ_FILES ? narrowIn(iri, uri, own) : own.map(locationOf))),
	);
	return locations.flat();
}

async function narrowIn(iri: string, uri: string, places: readonly Place[]): Promise<vscode.Location[]> {
	const text = await textOf(uri);
	const lineStarts = [
		0,
		...Array.from(text.matchAll(/\r\n|\r|\n/g), ({ 0: end, index }) => index + end.length),
	];
	const toPosition = (offset: number) => {
		const line = lineStarts.findLastIndex((start) => start <= offset);
		return new vscode.Position(line, offset - (lineStarts[line] ?? 0));
	};
	const ranges = namesIn({ uri, text })
		.names.filter((name) => name.iri === iri)
		.map(({ start, end }) => new vscode.Range(toPosition(start), toPosition(end)));
	const found = new Map<string, vscode.Location>();
	for (const { lines } of places) {
		const whole = linesRange(lines);
		const exact = ranges.filter((range) => whole.contains(range));
		for (const range of exact.length > 0 ? exact : [whole])
			found.set(
				`${range.start.line} ${range.start.character}`,
				new vscode.Location(vscode.Uri.parse(uri), range),
			);
	}
	return [...found.values()];
}

/** The text in an editor, else on the disk; empty if the file is gone. */
async function textOf(uri: string): Promise<string> {
	const open = vscode.workspace.textDocuments.find((document) => fileUriOf(document.uri) === uri);
	return open?.getText() ?? readFile(fileURLToPath(uri), "utf8").catch(() => "");
}
