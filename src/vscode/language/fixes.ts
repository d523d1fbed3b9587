import { existsSync } from "node:fs";
import { basename } from "node:path";
import * as vscode from "vscode";
import { referenceOf } from "../../base/files/paths.ts";
import { localNameOf, RDFS } from "../../base/rdf/vocabulary.ts";
import { editDistance } from "../../base/text/editDistance.ts";
import { NOTE } from "../../base/text/noteSyntax.ts";
import type { FoundThing, Things } from "../../core/knowledge/graph.ts";
import { compactIri } from "../../names/iris.ts";
import type { WrittenName } from "../../names/name.ts";
import { signalOf } from "../cancellation.ts";
import { diagnosticAt } from "../treeLines.ts";
import { declaration, prefixOf } from "./completion.ts";
import {
	CHANNEL,
	isQuery,
	type LanguageDeps,
	namesOf,
	nameUnder,
	type PlacedName,
	rangeOf,
} from "./namedDocument.ts";

const NEAREST = 3;

/** Maximum characters of compared names: the time of a comparison grows with the product of both lengths. */
const LONGEST = 100;

const TURTLE = /\.(?:ttl|turtle|n3|trig|rq|sparql)$/i;

interface Fixing extends LanguageDeps, PlacedName {
	readonly document: vscode.TextDocument;
	readonly signal: AbortSignal;
}

export function createFixes(deps: LanguageDeps) {
	return {
		provideCodeActions: async (document, range, _context, token) => {
			const signal = signalOf(token);
			const prefixes = TURTLE.test(document.uri.path) ? await deps.things.prefixes(CHANNEL, signal) : {};
			const missing = declareFix(document, range.start, new Map(Object.entries(prefixes)));
			const found = nameUnder(document, range.start);
			const fixing = found && { ...deps, ...found, document, signal };
			// A query may use known prefixes undeclared, and still contain unknown names.
			if (fixing && isQuery(document)) return [...(await fixesOfQuery(fixing)), ...missing];
			return missing.length > 0 || !fixing ? missing : fixesOfThing(fixing);
		},
	} satisfies vscode.CodeActionProvider;
}

async function fixesOfQuery(fixing: Fixing): Promise<vscode.CodeAction[]> {
	const { name, document, graph, things, signal } = fixing;
	const unknown = await graph.check({ sparql: document.getText(), ...CHANNEL }, signal);
	const near = unknown.find(({ iri }) => iri === name.iri)?.nearest.slice(0, NEAREST) ?? [];
	const called = await things.named({ iris: near, ...CHANNEL }, signal);
	return near.flatMap((id) => replaceFix(fixing, { id, label: called[id]?.label ?? id }));
}

async function fixesOfThing(fixing: Fixing): Promise<vscode.CodeAction[]> {
	const { name, things, signal } = fixing;
	const { iri, place } = name;
	if (place) return [];
	const paths = await pathsOfLink(fixing);
	if (iri.startsWith("file:")) return paths.flatMap((path) => replaceFix(fixing, path));
	const view = await things.describe({ iri, ...CHANNEL }, signal);
	if (!view || view.places.length > 0 || view.kind !== "thing") return [];
	const nearest = await nearestNames(iri, things, signal);
	return [...nearest.flatMap((thing) => replaceFix(fixing, thing)), ...stubFix(fixing)];
}

/** Paths that distinguish the notes that a link may mean. Paths of wikilinks start at the open folder. */
async function pathsOfLink({ document, name, things, signal }: Fixing) {
	const { iri } = name;
	const { [iri]: notes = [] } = await things.notes({ iris: [iri], ...CHANNEL }, signal);
	if (notes.length < 2) return [];
	return notes.map((note) => {
		const label = vscode.workspace.asRelativePath(vscode.Uri.parse(note), false);
		return { id: isWikilink(document, name) ? new URL(referenceOf(label), iri).href : note, label };
	});
}

/** Described resources of the same namespace whose names need the fewest edits. */
async function nearestNames(iri: string, things: Things, signal: AbortSignal): Promise<FoundThing[]> {
	const local = localNameOf(iri).toLowerCase();
	const at = iri.length - local.length;
	if (local.length > LONGEST) return [];
	const query = { words: "", within: iri.slice(0, at), kinds: ["thing"], limit: 100, ...CHANNEL } as const;
	const found = await things.find(query, signal);
	return found
		.filter(({ id, place }) => id !== iri && place !== undefined && id.length <= at + LONGEST)
		.map((candidate) => ({ candidate, distance: editDistance(local, candidate.id.slice(at).toLowerCase()) }))
		.filter(({ distance }) => distance <= Math.max(2, local.length / 2))
		.sort((a, b) => a.distance - b.distance)
		.slice(0, NEAREST)
		.map(({ candidate }) => candidate);
}

function replaceFix({ document, name, range }: Fixing, { id, label }: { id: string; label: string }) {
	const spelled = name.spell(id);
	if (spelled === undefined) return [];
	const title = vscode.l10n.t("Change to {0} ({1})", spelled, label);
	return [quickFix(title, (edit) => edit.replace(document.uri, range, spelled))];
}

/** Offers to describe the resource, in Turtle only, where a description may be anywhere in the file. */
function stubFix({ document, name }: Fixing): vscode.CodeAction[] {
	if (!/\.(?:ttl|turtle|n3)$/i.test(document.uri.path)) return [];
	const spelled = name.spell(name.iri) ?? `<${name.iri}>`;
	const words = localNameOf(name.iri).replace(/[-_]+/g, " ").trim();
	const property = compactIri(`${RDFS}label`, namesOf(document).prefixes) ?? `<${RDFS}label>`;
	const end = document.lineAt(document.lineCount - 1).range.end;
	const stub = `\n${spelled} ${property} ${JSON.stringify(words)} .\n`;
	const title = vscode.l10n.t("Describe {0} here", spelled);
	return [quickFix(title, (edit) => edit.insert(document.uri, end, stub))];
}

function quickFix(title: string, change: (edit: vscode.WorkspaceEdit) => void): vscode.CodeAction {
	const fix = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
	fix.edit = new vscode.WorkspaceEdit();
	change(fix.edit);
	return fix;
}

function declareFix(
	document: vscode.TextDocument,
	position: vscode.Position,
	known: ReadonlyMap<string, string>,
): vscode.CodeAction[] {
	const range = document.getWordRangeAtPosition(position, /[\p{L}][\w.-]*:[\p{L}\p{N}_-]*/u);
	if (!range) return [];
	const word = document.getText(range);
	const prefix = prefixOf(word);
	if (namesOf(document).prefixes.has(prefix) || !known.has(prefix)) return [];
	const title = vscode.l10n.t("Declare prefix {0}:", prefix);
	const fix = quickFix(title, (edit) => edit.set(document.uri, [declaration(document, word, known)]));
	fix.isPreferred = true;
	return [fix];
}

export function createNotes({ things }: LanguageDeps) {
	const linksOf = async (document: vscode.TextDocument, signal: AbortSignal) => {
		const links = namesOf(document).names.filter(({ iri, place }) => !place && NOTE.test(iri));
		const notes = await things.notes({ iris: links.map(({ iri }) => iri), ...CHANNEL }, signal);
		return links.map((link) => {
			const meant = notes[link.iri] ?? [];
			const isMissing = meant.length === 0 && !existsSync(vscode.Uri.parse(link.iri).fsPath);
			return { link, range: rangeOf(document, link), notes: meant, isMissing };
		});
	};
	return {
		/** Fades links to missing notes, which are still to be written. */
		checkNotes: async (document: vscode.TextDocument): Promise<vscode.Diagnostic[]> => {
			const links = await linksOf(document, new AbortController().signal);
			return links.flatMap(({ range, notes, isMissing }) => {
				if (isMissing) {
					const text = vscode.l10n.t("There is no note of this name yet.");
					const hint = diagnosticAt(range, text, vscode.DiagnosticSeverity.Hint);
					hint.tags = [vscode.DiagnosticTag.Unnecessary];
					return [hint];
				}
				if (notes.length < 2) return [];
				const paths = notes.map((note) => vscode.workspace.asRelativePath(vscode.Uri.parse(note)));
				const text = vscode.l10n.t("Several notes have this name: {0}. Write the path.", paths.join(", "));
				return [diagnosticAt(range, text)];
			});
		},
		/** Opens a missing note on a click. Saving creates the file. */
		provideDocumentLinks: async (document, token) => {
			const links = await linksOf(document, signalOf(token));
			return links
				.filter(({ link, isMissing }) => isMissing && isWikilink(document, link))
				.map(({ link, range }) => {
					const file = fileToCreate(document, link);
					const opened = new vscode.DocumentLink(range, file.with({ scheme: "untitled" }));
					opened.tooltip = vscode.l10n.t("Create “{0}”", vscode.workspace.asRelativePath(file));
					return opened;
				});
		},
	} satisfies vscode.DocumentLinkProvider & Record<string, unknown>;
}

function isWikilink(document: vscode.TextDocument, { start }: WrittenName): boolean {
	return document.getText().startsWith("[[", start - 2);
}

/** File for a missing note: beside the linking note, or at a path from the open folder. */
function fileToCreate(document: vscode.TextDocument, { iri, start, end }: WrittenName): vscode.Uri {
	const beside = vscode.Uri.parse(iri);
	const root = vscode.workspace.getWorkspaceFolder(document.uri)?.uri;
	const folders = document.getText().slice(start, end).split("/").slice(0, -1);
	const folder = root && vscode.Uri.joinPath(root, ...folders);
	const isFromRoot =
		folder && existsSync(folder.fsPath) && !existsSync(vscode.Uri.joinPath(beside, "..").fsPath);
	return isFromRoot ? vscode.Uri.joinPath(folder, basename(beside.path)) : beside;
}
