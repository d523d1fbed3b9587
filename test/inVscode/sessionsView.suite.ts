import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "mocha";
import * as vscode from "vscode";
import { tell } from "./testReport.ts";

const TERMINAL = "Made in a terminal";

suite("the view of sessions", () => {
	test("a session of the Copilot CLI from a terminal opens in it as a transcript", async () => {
		await storeTerminalSession();
		await vscode.commands.executeCommand("copilot-ld.showSessions");
		// A reload comes back to the tab that was chosen, whichever page the click below goes to.
		await tell("lookAtTab", { tab: "Sessions", picture: "transcript" });
		// The list looks at the disk when it is asked for, and a page asks for it when it is loaded.
		await vscode.commands.executeCommand("workbench.action.webview.reloadWebviewAction");
		const shown = await tell("openSession", { title: TERMINAL, picture: "transcript" });
		// A desktop VS Code has no page that a test could look at.
		if (shown) assert.match(shown.text, /Resume in Chat/);
		if (shown) assert.match(shown.text, /Which lamp is it\?[\s\S]*The white one\./);
	});
});

async function storeTerminalSession(): Promise<void> {
	const folder = join(process.env["COPILOT_HOME"] ?? "", "session-state", randomUUID());
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, "workspace.yaml"), `name: ${TERMINAL}\ncwd: /work\n`);
	const lines = [
		{ type: "user.message", data: { content: "Which lamp is it?" } },
		{ type: "assistant.message", data: { content: "The white one." } },
	];
	await writeFile(join(folder, "events.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
