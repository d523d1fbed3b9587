import assert from "node:assert/strict";
import { suite, suiteSetup, suiteTeardown, test } from "mocha";
import * as vscode from "vscode";
import { assertMapped } from "../support/assertMapped.ts";
import { look, tell } from "./testReport.ts";
import {
	closeAllEditors,
	file,
	ownProblems,
	setSetting,
	untilEditor,
	untilTrue,
	write,
} from "./workbench.ts";

const BROKEN = "<https://merrow.example/id/light/new> <https://schema.org/name> .\n";
const DANGLING = `<https://merrow.example/id/light/new> a <https://merrow.example/vocab#Light> ;
	<https://schema.org/name> "New Light" ;
	<https://schema.org/isPartOf> <https://merrow.example/id/isle/nowhere> .
`;

suite("the knowledge", () => {
	suiteSetup(async () => vscode.commands.executeCommand("copilot-ld.indexWorkspace"));

	suiteTeardown(() => setSetting("diagnostics.enabled", undefined));

	test("problems in files are shown at their lines if the setting is on, and disappear after a fix", async () => {
		await setSetting("diagnostics.enabled", true);
		const { onDidChangeDiagnostics } = vscode.languages;
		const problems = () => ownProblems(file("data/new.ttl"));
		await write("data/new.ttl", BROKEN);
		await untilTrue(() => problems().some(({ severity }) => severity === 0), onDidChangeDiagnostics);
		await write("data/new.ttl", DANGLING);
		const isDangling = () => problems().some(({ message }) => message.includes("isle/nowhere"));
		await untilTrue(isDangling, onDidChangeDiagnostics);
		assertMapped(problems(), ({ range }) => range.start.line + 1, [3]);
		await vscode.commands.executeCommand("workbench.actions.view.problems");
		await look("problems");
		await vscode.workspace.fs.delete(file("data/new.ttl"));
		await untilTrue(() => problems().length === 0, onDidChangeDiagnostics);
	});

	test("the search command finds passages as the user types, and opens a passage at its lines", async () => {
		const isOpen = () => /fog-signals\.md$/.test(vscode.window.activeTextEditor?.document.fileName ?? "");
		await closeAllEditors();
		await vscode.commands.executeCommand("copilot-ld.search");
		await tell("pickFirst", { typed: "when are both horns tested in September" });
		await untilEditor(isOpen);
		assert.equal((vscode.window.activeTextEditor?.selection.start.line ?? 0) > 20, true);
	});
});
