import * as vscode from "vscode";
import { messageOf } from "../base/failure.ts";
import type { FailureLog } from "./logs.ts";

const GREETED = "greeted";

/**
 * Opens the overview and the walkthrough in the first window of `npm start`, which says so in its environment: VS Code
 * itself opens the walkthrough of an extension that it installs, and only of that.
 */
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
