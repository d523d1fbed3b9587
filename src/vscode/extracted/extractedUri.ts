import * as vscode from "vscode";
import { isExtracted } from "../../core/knowledge/extractedFiles.ts";
import { briefPlace, formatPlace, type Place, readPlace } from "../../core/knowledge/place.ts";

/** Texts that were extracted from files. The query says which place of it is meant. */
export const EXTRACTED_SCHEME = "copilot-ld-text";

/** Where a place of a file that is no text is shown: in the file's own editor, else in the text that was extracted. */
export function locationInFile(file: vscode.Uri, place: Place): vscode.Location {
	const top = new vscode.Range(0, 0, 0, 0);
	if (!hasEditor(file)) return new vscode.Location(extractedUri(file, place), top);
	const page = /^p(\d+)$/.exec(place.part ?? "")?.[1];
	return new vscode.Location(page === undefined ? file : file.with({ fragment: `page=${page}` }), top);
}

/** What a link of the chat leads to: it is named after the line of a location, and these files have no lines. */
export function linkTo(location: vscode.Location): vscode.Location | vscode.Uri {
	const { uri } = location;
	return uri.scheme === EXTRACTED_SCHEME || isExtracted(uri.path) ? uri : location;
}

export async function openLocation({ uri, range }: vscode.Location): Promise<void> {
	await vscode.commands.executeCommand("vscode.open", uri, { selection: range, preview: true });
}

/** Links and tabs are named after the end of the path, so that says the place, too: `report.pdf:p12`. */
function extractedUri({ path }: vscode.Uri, place: Place): vscode.Uri {
	const named = path + endOf(place);
	return vscode.Uri.from({ scheme: EXTRACTED_SCHEME, path: named, query: formatPlace(place) });
}

function endOf(place: Place): string {
	return `:${briefPlace(place).replaceAll("/", "∕")}`;
}

export function sourceOf({ path, query }: vscode.Uri): { readonly file: vscode.Uri; readonly place?: Place } {
	const place = readPlace(query);
	if (!place) return { file: vscode.Uri.from({ scheme: "file", path }) };
	return { file: vscode.Uri.from({ scheme: "file", path: path.slice(0, -endOf(place).length) }), place };
}

export function hasEditor({ path }: vscode.Uri): boolean {
	const ending = path.slice(path.lastIndexOf(".")).toLowerCase();
	return (vscode.extensions.all ?? []).some(({ packageJSON }) =>
		editorsIn(packageJSON).some(
			({ priority, selector = [] }) =>
				priority !== "option" && selector.some(({ filenamePattern = "" }) => isFor(filenamePattern, ending)),
		),
	);
}

interface CustomEditor {
	readonly priority?: string;
	readonly selector?: readonly { readonly filenamePattern?: string }[];
}

function editorsIn(manifest: {
	readonly contributes?: { readonly customEditors?: unknown };
}): CustomEditor[] {
	const editors = manifest?.contributes?.customEditors;
	return Array.isArray(editors) ? (editors as CustomEditor[]) : [];
}

/** `*.pdf`, or one of `*.{pdf,PDF}`. */
function isFor(pattern: string, ending: string): boolean {
	const [, list, single = ""] = /\*\.(?:\{([^{}]*)\}|([^*{}]+))$/.exec(pattern.toLowerCase()) ?? [];
	return (list?.split(",") ?? [single]).some((each) => `.${each.trim()}` === ending);
}
