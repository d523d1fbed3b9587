import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import { fenced } from "../../base/text/visibleText.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { VirtualDocuments } from "../registerEach.ts";

type Change = Extract<AgentEvent, { kind: "diff" }>;

export type CliCalls = ReturnType<typeof createCliCalls>;

const CALLS = 2000;
/** Maximum number of characters in the outputs of all calls kept. */
const CHARACTERS = 20_000_000;

export function createCliCalls(documents: VirtualDocuments) {
	/** Calls by id. A call has an output after its end. */
	const calls = new Map<unknown, { readonly changes: Change[]; output?: string }>();
	let characters = 0;
	const forgetOldest = () => {
		for (const [id, { output = "" }] of calls) {
			if (calls.size <= CALLS && characters <= CHARACTERS) return;
			calls.delete(id);
			characters -= output.length;
		}
	};
	return {
		note: (event: AgentEvent) => {
			if (event.kind !== "diff" && event.kind !== "toolFinished") return;
			const id = event.kind === "diff" ? event.callId : event.call.id;
			const call = calls.get(id) ?? { changes: [] };
			calls.set(id, call);
			if (event.kind === "diff") call.changes.push(event);
			else {
				characters += event.text.length - (call.output?.length ?? 0);
				call.output = event.text;
			}
			forgetOldest();
		},
		hasChange: (id: string) => (calls.get(id)?.changes ?? []).length > 0,
		openChange: async (id: unknown) => {
			const { changes = [] } = calls.get(id) ?? {};
			const gone = vscode.l10n.t("This change is no longer available. Check the history of the file.");
			if (changes.length === 0) throw new Failure("NOT_FOUND", gone);
			// A call may change several files with the same name.
			for (const [index, change] of changes.entries()) await openDiff(documents, change, `${id}/${index}`);
		},
		showOutput: async (id: unknown) => {
			const { output } = calls.get(id) ?? {};
			const gone = vscode.l10n.t("This output is no longer available. Ask the CLI to run the command again.");
			if (output === undefined) throw new Failure("NOT_FOUND", gone);
			await documents.show(vscode.l10n.t("Output of the Copilot CLI.md"), fenced(output, "text"));
		},
	};
}

async function openDiff(documents: VirtualDocuments, change: Change, place: string): Promise<void> {
	const { before, after } = await wholeTexts(change);
	const name = basename(change.path);
	await vscode.commands.executeCommand(
		"vscode.diff",
		documents.keep(`${place}/before/${name}`, before),
		documents.keep(`${place}/after/${name}`, after),
		`${name} (Copilot CLI)`,
	);
}

/** Completes a change from the file on disk, because the CLI reports only the lines around the change. */
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
