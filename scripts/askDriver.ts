import * as vscode from "vscode";
import type { TurnRecord } from "../src/vscode/turn/turnRecord.ts";
import type { AskReport } from "./askReport.ts";
import { sendReport } from "./vscode/report.ts";

/** The vendor in the manifest. */
const PASSAGES_VENDOR = "copilot-ld-passages";

/** The result of a finished turn from VS Code. */
interface ChatOutcome {
	readonly metadata?: TurnRecord;
	readonly errorDetails?: { readonly message: string };
}

/** Runs inside VS Code: indexes the folder, asks the question, and reports the answer. */
export async function run(): Promise<void> {
	await sendReport<AskReport>({ kind: "started", what: "Indexing" });
	await vscode.commands.executeCommand("copilot-ld.indexWorkspace");
	await sendReport<AskReport>({ kind: "started", what: "Answering" });
	await sendReport<AskReport>(await ask(process.env["COPILOT_LD_QUESTION"] ?? ""));
}

async function ask(question: string): Promise<AskReport> {
	const outcome = await vscode.commands.executeCommand<ChatOutcome | undefined>(
		"workbench.action.chat.open",
		{
			query: `@copilot-ld ${question}`,
			mode: "agent",
			modelSelector: { vendor: PASSAGES_VENDOR },
			blockOnResponse: true,
		},
	);
	if (outcome?.errorDetails) return { kind: "failed", message: outcome.errorDetails.message };
	if (!outcome?.metadata) return { kind: "failed", message: "VS Code ended the turn without an answer." };
	return { kind: "answered", turn: outcome.metadata };
}
