import * as vscode from "vscode";
import { Failure, messageOf } from "../base/failure.ts";
import type { Citation } from "../core/knowledge/citation.ts";
import { locationOf, openLocation } from "./folders.ts";
import type { FailureLog } from "./logs.ts";

/** Completes the steps of the walkthrough when the user first takes them, anywhere in VS Code. */
export type FirstUses = ReturnType<typeof createFirstUses>;

type Use = "hasIndexed" | "hasAsked" | "hasOpenedSource" | "hasUsedTools";

const KEPT = "firstUses";

const QUOTED_CHARACTERS = 200;

type IndexNews = vscode.Event<{ readonly contents?: { readonly documents: number } | undefined }>;

export function createFirstUses(kept: vscode.Memento, onDidChangeIndex: IndexNews) {
	const done = new Set<Use>(kept.get(KEPT, []));
	const note = (use: Use) => {
		if (done.has(use)) return;
		void kept.update(KEPT, [...done.add(use)]);
		tick(use);
	};
	let last: readonly vscode.Location[] = [];
	const noteOpened = (editor: vscode.TextEditor | undefined) => {
		const uri = editor?.document.uri.toString();
		if (last.some((source) => source.uri.toString() === uri)) note("hasOpenedSource");
	};
	const tickAll = (tabs: readonly vscode.Tab[]) => {
		// VS Code's API does not identify walkthroughs, but a walkthrough's tab has no input.
		if (tabs.some(({ isActive, input }) => isActive && input === undefined))
			for (const use of done) tick(use);
	};
	const { tabGroups } = vscode.window;
	const listening = vscode.Disposable.from(
		vscode.window.onDidChangeActiveTextEditor(noteOpened),
		// If the file is open already, only the selection changes.
		vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => noteOpened(textEditor)),
		onDidChangeIndex(({ contents }) => contents && contents.documents > 0 && note("hasIndexed")),
		tabGroups.onDidChangeTabs(({ opened, changed }) => tickAll([...opened, ...changed])),
	);
	tickAll(tabGroups.all.flatMap(({ tabs }) => tabs));
	return {
		answered: (citations: readonly Citation[]) => {
			note("hasAsked");
			if (citations.length > 0) last = citations.flatMap((citation) => locationOf(citation) ?? []);
		},
		/** Notes that an agent other than ours called one of our tools. */
		usedTool: () => note("hasUsedTools"),
		openSources: async () => {
			const [first] = last;
			const none = vscode.l10n.t("There is no answer with sources in this window yet. Ask a question first.");
			if (!first) throw new Failure("NOT_FOUND", none);
			const chosen = last.length === 1 ? first : await chooseSource(last);
			if (chosen) await openLocation(chosen);
		},
		dispose: () => listening.dispose(),
	};
}

async function chooseSource(sources: readonly vscode.Location[]): Promise<vscode.Location | undefined> {
	const items = Promise.all(
		sources.map(async (source) => {
			const name = vscode.workspace.asRelativePath(source.uri);
			return { label: `${name}:${source.range.start.line + 1}`, detail: await linesAt(source), source };
		}),
	);
	const title = vscode.l10n.t("Sources of the Last Answer");
	return (await vscode.window.showQuickPick(items, { title, matchOnDetail: true }))?.source;
}

async function linesAt({ uri, range }: vscode.Location): Promise<string> {
	const text = await vscode.workspace.openTextDocument(uri).then(
		(document) => document.getText(range),
		() => "",
	);
	return text.replace(/\s+/g, " ").trim().slice(0, QUOTED_CHARACTERS);
}

/** Ticks a step. VS Code reacts only to a condition that becomes true, so the condition is true for a moment. */
function tick(use: Use): void {
	for (const isTrue of [true, false])
		void vscode.commands.executeCommand("setContext", `copilot-ld.${use}`, isTrue);
}

const GREETED = "greeted";

/** Opens the overview and the walkthrough in the first window of `npm start`, as VS Code does after it installs us. */
export async function greet(kept: vscode.Memento, log: FailureLog): Promise<void> {
	if (!("COPILOT_LD_GREET" in process.env) || kept.get(GREETED)) return;
	try {
		await kept.update(GREETED, true);
		await vscode.commands.executeCommand("copilot-ld.knowledge.focus");
		await vscode.commands.executeCommand("workbench.action.openWalkthrough", "copilot-ld.copilot-ld#start");
	} catch (thrown) {
		log.error(`The walkthrough was not opened: ${messageOf(thrown)}`);
	}
}
