import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setup, suite, test } from "mocha";
import * as vscode from "vscode";
import { ask, openNewChat, useModel } from "./chat.ts";
import { tell } from "./testReport.ts";

suite("sessions", () => {
	const model = useModel();
	setup(openNewChat);

	test("the resume command continues a session in a new chat with the earlier turns", async () => {
		model.play([{ say: "Seven steps of green stone." }]);
		const { metadata } = await ask("How many steps has the stair?");
		assert.ok(metadata?.sessionId);
		await vscode.commands.executeCommand("copilot-ld.resumeSession", metadata.sessionId);
		model.play([{ say: "Green." }]);
		const next = await ask("Of which color are they?");
		assert.equal(next.metadata?.sessionId, metadata.sessionId);
		assert.deepEqual(model.requests()[0]?.messages.slice(-3), [
			"user: How many steps has the stair?",
			"assistant: Seven steps of green stone.",
			"user: Of which color are they?",
		]);
	});
});

const TERMINAL = "Made in a terminal";

suite("the Sessions view", () => {
	test("opens the transcript of a Copilot CLI session that ran in a terminal", async () => {
		await storeTerminalSession();
		await vscode.commands.executeCommand("copilot-ld.showSessions");
		// A reload restores the chosen tab, so the click below reaches it on either page.
		await tell("lookAtTab", { tab: "Sessions", picture: "transcript" });
		// A page requests the list when it loads, and the list is then read from disk.
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
