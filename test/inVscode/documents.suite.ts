import assert from "node:assert/strict";
import { join } from "node:path";
import { setup, suite, suiteSetup, test } from "mocha";
import * as vscode from "vscode";
import { ask, openNewChat, useModel } from "./chat.ts";
import { look, tell } from "./testReport.ts";
import { closeAllEditors, file, provided, removeAfter, untilEditor, untilTrue, write } from "./workbench.ts";

const READ = "copilot-ld_read_resource";
const SAMPLES = ["handbook.pdf", "talk.pptx", "costs.xlsx"];
const MAIL = `From: Ida Fenwick <ida@example.org>
To: Per Osterby <per@example.org>
Subject: The diaphragm
Date: Tue, 3 Sep 1912 10:00:00 +0000

It broke at the test of the horn.
`;

/** For each file format: a cited place, an answer, the line that a click opens, and the link's label. */
const PLACES: readonly (readonly [place: string, said: string, there: RegExp, label: string])[] = [
	["office/handbook.pdf:p2", "The fog horn sounds three blasts", /^── p2 ──|The horn/, "handbook.pdf:p2"],
	["office/talk.pptx:s2", "The second slide tells of the blasts", /horn|blasts/i, "talk.pptx:s2"],
	["office/costs.xlsx:costs!A4:D4", "The diaphragm cost 340 crowns", /Diaphragm.*340/, "costs.xlsx:costs!A4"],
	["office/horn.eml:part1:5", "The diaphragm broke at the test", /It broke at the test/, "horn.eml:part1"],
];

suite("documents whose text is extracted", () => {
	const model = useModel();

	suiteSetup(async () => {
		const root = process.env["COPILOT_LD_ROOT"] ?? "";
		const samples = vscode.Uri.file(join(root, "test/knowledge/office/samples"));
		for (const name of SAMPLES)
			await vscode.workspace.fs.copy(vscode.Uri.joinPath(samples, name), file(`office/${name}`));
		await write("office/horn.eml", MAIL);
		await vscode.commands.executeCommand("copilot-ld.indexWorkspace");
	});

	removeAfter("office");

	setup(async () => {
		await closeAllEditors();
		await openNewChat();
	});

	for (const [place, said, there, label] of PLACES)
		test(`a click on ${place} selects the place in the extracted text, and "Open Original" opens the file`, async () => {
			model.play([{ call: READ, input: { target: place } }], [{ say: `${said} [${place}].` }]);
			await ask("What is known of the horn?");
			const shown = await look(`documents-${place.replace(/.*\.|:.*/g, "")}`);
			if (!shown) return;
			assert.deepEqual(shown.citations, [label]);
			await tell("clickCitation", {});
			const { onDidChangeTabs } = vscode.window.tabGroups;
			const line = () => {
				const editor = vscode.window.activeTextEditor;
				return editor?.document.uri.scheme === "copilot-ld-text"
					? editor.document.lineAt(editor.selection.start.line).text
					: "";
			};
			await untilEditor(() => there.test(line()));
			const shownText = vscode.window.activeTextEditor?.document;
			assert.ok(shownText);
			const lenses = await provided<vscode.CodeLens[]>("CodeLens", shownText);
			const original = lenses.find(({ command }) => command?.title === "Open Original")?.command;
			assert.ok(original);
			await vscode.commands.executeCommand(original.command, ...(original.arguments ?? []));
			const input = () =>
				vscode.window.tabGroups.activeTabGroup.activeTab?.input as vscode.TabInputText | undefined;
			await untilTrue(() => input()?.uri?.path === file(place.replace(/:.*/, "")).path, onDidChangeTabs);
		});
});
