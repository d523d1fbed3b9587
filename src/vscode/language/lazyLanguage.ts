import { existsSync } from "node:fs";
import * as vscode from "vscode";
import { messageOf } from "../../base/failure.ts";
import { once } from "../../base/jobs/once.ts";
import type { KnowledgeGraph } from "../../core/knowledge/graph.ts";
import type { Things } from "../../core/knowledge/things.ts";
import type { Sessions } from "../../core/session/session.ts";
import { isCancellation } from "../cancellation.ts";
import type { VirtualDocuments } from "../virtualDocuments.ts";
import { indexFolder } from "../worker/indexFolder.ts";
import type { FolderReadiness } from "../worker/readiness.ts";
import type { openLanguage } from "./language.ts";

export interface LanguageLinkDeps {
	readonly context: vscode.ExtensionContext;
	readonly things: Things;
	readonly graph: KnowledgeGraph;
	readonly documents: VirtualDocuments;
	readonly sessions: Pick<Sessions, "citing">;
	readonly readiness: FolderReadiness;
	readonly log: vscode.LogOutputChannel;
	/** Fires when the index changed. */
	readonly onDidChange: vscode.Event<void>;
}

type Language = ReturnType<typeof openLanguage>;

type Choose<Asked extends unknown[], Answer> = (language: Language) => (...asked: Asked) => Promise<Answer>;

/** Files that are nothing but data. */
export const DATA = filesEnding("ttl,turtle,n3,trig,nt,nq,rq,sparql,jsonld");
export function filesEnding(endings: string): vscode.DocumentFilter[] {
	return [{ scheme: "file", pattern: `**/*.{${endings}}` }];
}

/** Asks the program, which is loaded for the first question in a workspace with an index. */
export function lazyLanguage({ context, readiness, log, ...deps }: LanguageLinkDeps) {
	const woken = new vscode.EventEmitter<void>();
	const language = once(async () => {
		const { openLanguage } = await import("./language.ts");
		// Whoever types does not wait until the index is in step with the files.
		readiness
			.ensure(() => undefined, new AbortController().signal)
			.catch((thrown) => log.warn(messageOf(thrown)));
		woken.fire();
		return openLanguage(deps);
	});
	const hasIndex = () => language.peek() !== undefined || existsSync(indexFolder(context));
	/** What a person asked for tells them why it failed. */
	const strictly =
		<Asked extends unknown[], Answer>(pick: Choose<Asked, Answer>) =>
		async (...asked: Asked): Promise<Answer | undefined> =>
			hasIndex() ? pick(await language.get())(...asked) : undefined;
	/** The editor's own answers are shown without ours. */
	const ask = <Asked extends unknown[], Answer>(pick: Choose<Asked, Answer>) => {
		const answer = strictly(pick);
		return (...asked: Asked) =>
			answer(...asked).catch((thrown: unknown) => {
				if (!isCancellation(thrown)) log.warn(`A name in the editor: ${messageOf(thrown)}`);
				return undefined;
			});
	};
	/** What the editor asks by itself wakes nobody for a page or a text that is merely open. */
	const quietly = <Asked extends [vscode.TextDocument, ...unknown[]], Answer>(
		pick: Choose<Asked, Answer>,
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
