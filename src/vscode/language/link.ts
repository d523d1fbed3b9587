import { existsSync } from "node:fs";
import * as vscode from "vscode";
import { messageOf } from "../../base/failure.ts";
import { once } from "../../base/jobs/lazily.ts";
import { NOTE } from "../../base/text/noteSyntax.ts";
import { isCancellation } from "../cancellation.ts";
import { registerEach } from "../registerEach.ts";
import { setting } from "../settings.ts";
import { indexFolder } from "../worker/link.ts";
import type { EditorServices } from "../worker/readiness.ts";
import type { openLanguage } from "./language.ts";

const DATA = filesEnding("ttl,turtle,n3,trig,nt,nq,rq,sparql,jsonld,rdf,owl,rdfs");

const DATA_AND_PAGES = [...DATA, ...filesEnding("html,htm,xhtml,xht")];

const SELECTOR = [...DATA_AND_PAGES, ...filesEnding("json,md,markdown,mdx,qmd,rmd")];

/** Characters that trigger completion without a word before the cursor. */
const TRIGGERS = [":", "<", "[", '"', "#", "/", "?", "$"];

type Language = ReturnType<typeof openLanguage>;

/** Registers the language features for names. Loads nothing before the first request in a workspace with an index. */
export function registerLanguage(services: EditorServices): vscode.Disposable {
	const { languages } = vscode;
	const changed = new vscode.EventEmitter<void>();
	const language = lazyLanguage(services, () => changed.fire());
	const { ask, strictly, quietly } = language;
	return vscode.Disposable.from(
		changed,
		services.worker.onDidChangeIndex(() => changed.fire()),
		languages.registerHoverProvider(SELECTOR, ask("provideHover")),
		languages.registerDefinitionProvider(SELECTOR, ask("provideDefinition")),
		languages.registerReferenceProvider(SELECTOR, ask("provideReferences")),
		languages.registerDocumentSymbolProvider(DATA_AND_PAGES, quietly("provideDocumentSymbols")),
		languages.registerWorkspaceSymbolProvider(ask("provideWorkspaceSymbols")),
		languages.registerCompletionItemProvider(SELECTOR, ask("provideCompletionItems"), ...TRIGGERS),
		languages.registerRenameProvider(SELECTOR, {
			...strictly("prepareRename"),
			...strictly("provideRenameEdits"),
		}),
		languages.registerCodeActionsProvider(SELECTOR, quietly("provideCodeActions"), {
			providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
		}),
		languages.registerCodeLensProvider(SELECTOR, {
			...quietly("provideCodeLenses", () => setting("editor.referenceCounts")),
			onDidChangeCodeLenses: changed.event,
		}),
		languages.registerInlayHintsProvider(SELECTOR, {
			...quietly("provideInlayHints", () => setting("editor.labels")),
			onDidChangeInlayHints: changed.event,
		}),
		languages.registerDocumentLinkProvider(NOTES, quietly("provideDocumentLinks")),
		updateRenamedNotes(language),
		registerChecks(language, changed.event),
		registerQueries(language),
	);
}

const QUERIES = filesEnding("rq,sparql");
const NOTES = filesEnding("md,markdown,mdx,qmd,rmd");
const FORMATTED = filesEnding("ttl,turtle,trig,rq,sparql");

function registerQueries({ strictly }: LazyLanguage): vscode.Disposable {
	const { runQuery } = strictly("runQuery");
	const command = { title: `$(play) ${vscode.l10n.t("Run")}`, command: "copilot-ld.runQuery" };
	const lens = new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command);
	return vscode.Disposable.from(
		vscode.languages.registerCodeLensProvider(QUERIES, { provideCodeLenses: () => [lens] }),
		vscode.languages.registerDocumentFormattingEditProvider(FORMATTED, FORMATTER),
		registerEach({
			"copilot-ld.runQuery": async () => {
				const document = vscode.window.activeTextEditor?.document;
				if (document && vscode.languages.match(QUERIES, document)) await runQuery(document);
			},
		}),
		registerEach({ "copilot-ld.openResult": strictly("openResult").openResult }),
		registerEach({ "copilot-ld.showReferences": strictly("showReferences").showReferences }),
	);
}

function registerChecks({ ask, quietly }: LazyLanguage, onDidChange: vscode.Event<void>): vscode.Disposable {
	const problems = vscode.languages.createDiagnosticCollection("copilot-ld.names");
	const { checkQuery } = ask("checkQuery");
	const { checkNotes } = quietly("checkNotes");
	const check = async (document: vscode.TextDocument) => {
		const isQuery = vscode.languages.match(QUERIES, document) > 0;
		if (!isQuery && !vscode.languages.match(NOTES, document)) return;
		const { version } = document;
		const found = await (isQuery ? checkQuery : checkNotes)(document);
		if (document.version === version) problems.set(document.uri, found);
	};
	return vscode.Disposable.from(
		problems,
		vscode.workspace.onDidOpenTextDocument(check),
		vscode.workspace.onDidChangeTextDocument(({ document }) => check(document)),
		vscode.workspace.onDidCloseTextDocument(({ uri }) => problems.delete(uri)),
		onDidChange(() => Promise.all(vscode.workspace.textDocuments.map(check))),
	);
}

const FORMATTER: vscode.DocumentFormattingEditProvider = {
	provideDocumentFormattingEdits: async (document, { insertSpaces, tabSize }) => {
		const { formatTurtle } = await import("../../base/rdf/formatTurtle.ts");
		const language = vscode.languages.match(QUERIES, document) ? "sparql" : "turtle";
		const text = document.getText();
		const formatted = formatTurtle(text, language, insertSpaces ? " ".repeat(tabSize) : "\t");
		const whole = new vscode.Range(document.positionAt(0), document.positionAt(text.length));
		return formatted === text ? [] : [vscode.TextEdit.replace(whole, formatted)];
	},
};

/** Updates links only if a single note is renamed, because the edits for several notes would overlap. */
function updateRenamedNotes({ ask }: LazyLanguage): vscode.Disposable {
	const { linksToRenamed } = ask("linksToRenamed");
	return vscode.workspace.onWillRenameFiles((event) => {
		const [only, ...others] = event.files;
		if (only && others.length === 0 && NOTE.test(only.oldUri.toString()))
			event.waitUntil(linksToRenamed(only.oldUri, only.newUri));
	});
}

function filesEnding(endings: string): vscode.DocumentFilter[] {
	return [{ scheme: "file", pattern: `**/*.{${endings}}` }];
}

type LazyLanguage = ReturnType<typeof lazyLanguage>;

/** Loads the language features on the first request in a workspace with an index. Each method is a provider. */
function lazyLanguage({ context, worker, documents, readiness, log }: EditorServices, onLoad: () => void) {
	const language = once(async () => {
		const { openLanguage } = await import("./language.ts");
		// Requests do not wait until the index is up to date.
		readiness
			.ensure(() => undefined, new AbortController().signal)
			.catch((thrown) => log.warn(messageOf(thrown)));
		onLoad();
		return openLanguage({ ...worker, documents, termsFile: context.asAbsolutePath("dist/terms.json") });
	});
	const hasIndex = () => language.peek() !== undefined || existsSync(indexFolder(context));
	const answer = async (name: keyof Language, asked: unknown[]): Promise<unknown> =>
		hasIndex() ? Reflect.apply((await language.get())[name], undefined, asked) : undefined;
	const answerOrWarn = (name: keyof Language, asked: unknown[]) =>
		answer(name, asked).catch((thrown: unknown) => {
			if (!isCancellation(thrown)) log.warn(`A name in the editor: ${messageOf(thrown)}`);
		});
	const methodOf = <Name extends keyof Language>(name: Name, run: (asked: unknown[]) => unknown) =>
		({ [name]: async (...asked: unknown[]) => run(asked) }) as Record<Name, Language[Name]>;
	return {
		/** For explicit requests of the user: errors are shown. */
		strictly: <Name extends keyof Language>(name: Name) => methodOf(name, (asked) => answer(name, asked)),
		/** If our answer fails, the editor's own answers are still shown. */
		ask: <Name extends keyof Language>(name: Name) => methodOf(name, (asked) => answerOrWarn(name, asked)),
		/** For automatic requests of the editor: does not start the worker merely because a page or text is open. */
		quietly: <Name extends keyof Language>(name: Name, isWanted: () => boolean = () => true) =>
			methodOf(name, (asked) => {
				const isWorthIt = language.peek() ?? vscode.languages.match(DATA, asked[0] as vscode.TextDocument);
				return isWanted() && isWorthIt ? answerOrWarn(name, asked) : undefined;
			}),
	};
}
