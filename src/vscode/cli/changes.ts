import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";

type Change = Extract<AgentEvent, { kind: "diff" }>;

export type CliChanges = ReturnType<typeof createCliChanges>;

const SCHEME = "copilot-ld-change";

/** Changes of calls that are older cannot be opened any more. */
const KEPT = 500;

export function createCliChanges() {
	const changes = new Map<string, Change[]>();
	const texts = new Map<string, string>();
	const registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
		provideTextDocumentContent: ({ path }) => texts.get(path) ?? "",
	});
	const forget = (callId: string) => {
		changes.delete(callId);
		for (const path of texts.keys()) if (path.startsWith(`/${callId}/`)) texts.delete(path);
	};
	const uriFor = (place: string, { path }: Change, text: string) => {
		const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${place}/${basename(path)}` });
		texts.set(uri.path, text);
		return uri;
	};
	/** A call may change several files of one name. */
	const openOne = async (change: Change, index: number) => {
		const { before, after } = await wholeTexts(change);
		await vscode.commands.executeCommand(
			"vscode.diff",
			uriFor(`${change.callId}/${index}/before`, change, before),
			uriFor(`${change.callId}/${index}/after`, change, after),
			`${basename(change.path)} (Copilot CLI)`,
		);
	};
	return {
		note: (event: AgentEvent) => {
			if (event.kind !== "diff") return;
			changes.set(event.callId, [...(changes.get(event.callId) ?? []), event]);
			const [oldest] = changes.keys();
			if (changes.size > KEPT && oldest !== undefined) forget(oldest);
		},
		has: (callId: string) => changes.has(callId),
		/** Opens the changes of a call beside each other; the one before the call and the one after it. */
		open: async (callId: unknown) => {
			const found = typeof callId === "string" ? changes.get(callId) : undefined;
			if (!found)
				throw new Failure(
					"NOT_FOUND",
					vscode.l10n.t("This change is no longer available. Check the history of the file."),
				);
			for (const [index, change] of found.entries()) await openOne(change, index);
		},
		dispose: () => registration.dispose(),
	};
}

/** The CLI reports only the lines around a change; the file on the disk is the text before or after it. */
async function wholeTexts({ path, oldText, newText }: Change): Promise<{ before: string; after: string }> {
	const file = await readFile(path, "utf8").catch(() => undefined);
	if (file !== undefined && occursOnce(file, newText))
		return { before: file.replace(newText, () => oldText), after: file };
	if (file !== undefined && occursOnce(file, oldText))
		return { before: file, after: file.replace(oldText, () => newText) };
	return { before: oldText, after: newText };
}

function occursOnce(file: string, text: string): boolean {
	return text !== "" && file.split(text, 3).length === 2;
}
