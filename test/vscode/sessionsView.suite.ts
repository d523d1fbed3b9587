import assert from "node:assert/strict";
import { suite, suiteTeardown, test } from "mocha";
import * as vscode from "vscode";
import { sendReport } from "../../scripts/vscode/report.ts";
import type { ShownView, TestReport } from "./testReport.ts";
import { untilTrue } from "./untilTrue.ts";

const THEMES = {
	dark: "Default Dark Modern",
	light: "Default Light Modern",
	"high-contrast": "Default High Contrast",
} as const;

suite("the view of sessions", () => {
	suiteTeardown(() => chooseTheme(undefined));

	test("the palette leads to the permissions", async () => {
		await vscode.commands.executeCommand("copilot-ld.showPermissions");
		const shown = await report({ kind: "lookAtTab", tab: "Permissions", picture: "permissions" });
		if (shown) assert.match(shown.text, /Rules.*Audit Log.*Resource Policies/is);
	});

	for (const [name, theme] of Object.entries(THEMES))
		test(`both tabs are shown in ${name}`, async () => {
			await chooseTheme(theme);
			for (const tab of ["Sessions", "Permissions"])
				await report({ kind: "lookAtTab", tab, picture: `${tab.toLowerCase()}-${name}` });
		});

	test("a session opens in it as a transcript", async () => {
		await vscode.commands.executeCommand("copilot-ld.showSessions");
		const shown = await report({ kind: "openSession" });
		// A desktop VS Code has no page that a test could look at.
		if (shown) assert.match(shown.text, /Resume in Chat/);
	});
});

function report(wanted: TestReport): Promise<ShownView | null> {
	return sendReport<TestReport, ShownView | null>(wanted);
}

async function chooseTheme(theme: string | undefined): Promise<void> {
	const { kind } = vscode.window.activeColorTheme;
	await vscode.workspace
		.getConfiguration("workbench")
		.update("colorTheme", theme, vscode.ConfigurationTarget.Global);
	if (theme && theme !== THEMES.dark)
		await untilTrue(
			() => vscode.window.activeColorTheme.kind !== kind,
			vscode.window.onDidChangeActiveColorTheme,
		);
}
