import { existsSync } from "node:fs";
import * as vscode from "vscode";
import { messageOf } from "../../base/failure.ts";
import { once } from "../../base/once.ts";
import type { Things } from "../../core/knowledge/things.ts";
import { isCancellation } from "../cancellation.ts";
import { showsLabels, showsReferenceCounts } from "../settings.ts";
import { indexFolder } from "../worker/indexFolder.ts";
import type { FolderReadiness } from "../worker/readiness.ts";
import type { openLanguage } from "./language.ts";

interface LanguageLinkDeps {
	readonly context: vscode.ExtensionContext;
	readonly things: Things;
	readonly readiness: FolderReadiness;
	readonly log: vscode.LogOutputChannel;
	/** Fires when the index changed. */
	readonly onDidChange: vscode.Event<void>;
}

type Language = ReturnType<typeof openLanguage>;

type Pick<Asked extends unknown[], Answer> = (language: Language) => (...asked: Asked) => Promise<Answer>;

const DATA = filesEnding("ttl,turtle,n3,trig,nt,nq,rq,sparql,jsonld");
const DATA_AND_PAGES = [...DATA, ...filesEnding("html,htm,xhtml,xht")];

/** Files in which things are named. */
const SELECTOR = [...DATA_AND_PAGES, ...filesEnding("json,md,markdown,mdx,qmd,rmd")];

function filesEnding(endings: string): vscode.DocumentFilter[] {
	return [{ scheme: "file", pattern: `**/*.{${endings}}` }];
}

/** Without a word before the cursor. */
const TRIGGERS = [":", "<", "[", '"', "#", "/"];

/**
 * What the editor asks about the names in files. Nothing is loaded, and no worker starts, before something is asked
 * in a workspace that has an index.
 */
export function registerLanguage(deps: LanguageLinkDeps): vscode.Disposable {
	const { ask, strictly, quietly, woken } = lazyLanguage(deps);
	const changed = new vscode.EventEmitter<void>();
	const onDidChange = changed.event;
	const commands: Record<string, (uri: vscode.Uri, position: vscode.Position, iri: string) => unknown> = {
		"copilot-ld.showReferences": strictly(({ showReferences }) => showReferences),
	};
	const { languages } = vscode;
	return vscode.Disposable.from(
		changed,
		deps.onDidChange(() => changed.fire()),
		woken.event(() => changed.fire()),
		woken,
		languages.registerHoverProvider(SELECTOR, { provideHover: ask(({ provideHover }) => provideHover) }),
		languages.registerDefinitionProvider(SELECTOR, {
			provideDefinition: ask(({ provideDefinition }) => provideDefinition),
		}),
		languages.registerReferenceProvider(SELECTOR, {
			provideReferences: ask(({ provideReferences }) => provideReferences),
		}),
		languages.registerDocumentSymbolProvider(DATA_AND_PAGES, {
			provideDocumentSymbols: ask(({ provideDocumentSymbols }) => provideDocumentSymbols),
		}),
		languages.registerWorkspaceSymbolProvider({
			provideWorkspaceSymbols: ask(({ provideWorkspaceSymbols }) => provideWorkspaceSymbols),
		}),
		languages.registerCompletionItemProvider(
			SELECTOR,
			{ provideCompletionItems: ask(({ provideCompletionItems }) => provideCompletionItems) },
			...TRIGGERS,
		),
		languages.registerRenameProvider(SELECTOR, {
			prepareRename: strictly(({ prepareRename }) => prepareRename),
			provideRenameEdits: strictly(({ provideRenameEdits }) => provideRenameEdits),
		}),
		languages.registerCallHierarchyProvider(SELECTOR, {
			prepareCallHierarchy: ask(({ prepareCallHierarchy }) => prepareCallHierarchy),
			provideCallHierarchyIncomingCalls: ask((language) => language.provideCallHierarchyIncomingCalls),
			provideCallHierarchyOutgoingCalls: ask((language) => language.provideCallHierarchyOutgoingCalls),
		}),
		languages.registerCodeActionsProvider(
			SELECTOR,
			{ provideCodeActions: quietly(({ provideCodeActions }) => provideCodeActions) },
			{ providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
		),
		languages.registerCodeLensProvider(SELECTOR, {
			provideCodeLenses: quietly(({ provideCodeLenses }) => provideCodeLenses, showsReferenceCounts),
			onDidChangeCodeLenses: onDidChange,
		}),
		languages.registerInlayHintsProvider(SELECTOR, {
			provideInlayHints: quietly(({ provideInlayHints }) => provideInlayHints, showsLabels),
			onDidChangeInlayHints: onDidChange,
		}),
		...Object.entries(commands).map(([id, run]) => vscode.commands.registerCommand(id, run)),
	);
}

/** Asks the program, which is loaded for the first question in a workspace with an index. */
function lazyLanguage({ context, things, readiness, log }: LanguageLinkDeps) {
	const woken = new vscode.EventEmitter<void>();
	const language = once(async () => {
		const { openLanguage } = await import("./language.ts");
		// Whoever types does not wait until the index is in step with the files.
		readiness
			.ensure(() => undefined, new AbortController().signal)
			.catch((thrown) => log.warn(messageOf(thrown)));
		woken.fire();
		return openLanguage({ things });
	});
	const hasIndex = () => language.peek() !== undefined || existsSync(indexFolder(context));
	/** What a person asked for tells them why it failed. */
	const strictly =
		<Asked extends unknown[], Answer>(pick: Pick<Asked, Answer>) =>
		async (...asked: Asked): Promise<Answer | undefined> =>
			hasIndex() ? pick(await language.get())(...asked) : undefined;
	/** The editor's own answers are shown without ours. */
	const ask = <Asked extends unknown[], Answer>(pick: Pick<Asked, Answer>) => {
		const answer = strictly(pick);
		return (...asked: Asked) =>
			answer(...asked).catch((thrown: unknown) => {
				if (!isCancellation(thrown)) log.warn(`A name in the editor: ${messageOf(thrown)}`);
				return undefined;
			});
	};
	/** What the editor asks by itself wakes nobody for a page or a text that is merely open. */
	const quietly = <Asked extends [vscode.TextDocument, ...unknown[]], Answer>(
		pick: Pick<Asked, Answer>,
		isWanted: () => boolean = () => true,
	) => {
		const answer = ask(pick);
		return async (...asked: Asked) =>
			isWanted() && (language.peek() || vscode.languages.match(DATA, asked[0]))
				? answer(...asked)
				: undefined;
	};
	return { ask, strictly, quietly, woken };
}
