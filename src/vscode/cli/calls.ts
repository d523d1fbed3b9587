import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import { createBoundedMap } from "../../base/jobs/boundedMap.ts";
import { fenced } from "../../base/text/visibleText.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { VirtualDocuments } from "../registerEach.ts";

type Change = Extract<AgentEvent, { kind: "diff" }>;

export type CliCalls = ReturnType<typeof createCliCalls>;

interface Call {
	readonly changes: readonly Change[];
	/** Absent before the call's end. */
	readonly output?: string;
}

/** Maximum number of characters in the outputs of all calls kept, of which each counts as at least `CALL`. */
const CHARACTERS = 20_000_000;
const CALL = 10_000;

export function createCliCalls(documents: VirtualDocuments) {
	const calls = createBoundedMap<unknown, Call>(CHARACTERS, ({ output = "" }) => CALL + output.length);
	return {
		note: (event: AgentEvent) => {
			if (event.kind !== "diff" && event.kind !== "toolFinished") return;
			const id = event.kind === "diff" ? event.callId : event.call.id;
			const call = calls.get(id) ?? { changes: [] };
			if (event.kind === "diff") calls.set(id, { ...call, changes: [...call.changes, event] });
			else calls.set(id, { ...call, output: event.text });
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
