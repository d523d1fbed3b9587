import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import { citationsIn, formatCitation } from "../../core/knowledge/citation.ts";
import type { Sessions } from "../../core/session/session.ts";
import { importScenarios } from "../../knowledgeTests/importScenarios.ts";
import { addTests, TESTS_PATH } from "../../knowledgeTests/testFile.ts";
import { editFile } from "../folders.ts";
import { amounts, translated } from "../l10n.ts";
import { answered, findInTurn } from "../turn/turnOf.ts";

export async function saveAsTest(sessions: Sessions, turn: readonly unknown[]): Promise<void> {
	const { question, answer } = await findInTurn(sessions, turn, answered);
	const citations = citationsIn(answer);
	if (citations.length === 0)
		throw new Failure("BAD_INPUT", vscode.l10n.t("The answer cites nothing that a test could check."));
	const cites = [...new Set(citations.map(({ citation }) => formatCitation(citation).slice(1, -1)))];
	await add([{ ask: question, cites }]);
}

/** Adds the scenarios of a file in the format of Copilot-LD's evaluation. */
export async function importTests(): Promise<void> {
	const title = vscode.l10n.t("Import Knowledge Tests");
	const openLabel = vscode.l10n.t("Import");
	const filters = { "Evaluation scenarios": ["yml", "yaml"] };
	const [file] = (await vscode.window.showOpenDialog({ title, openLabel, filters })) ?? [];
	if (!file) return;
	const bytes = await vscode.workspace.fs.readFile(file);
	const { tests, mistakes } = importScenarios(new TextDecoder().decode(bytes));
	const [mistake] = mistakes;
	const left = mistake ? [vscode.l10n.t("Line {0}: {1}", mistake.line, translated(mistake.message))] : [];
	const nothing = [vscode.l10n.t("Nothing in the file could be imported."), ...left].join(" ");
	if (tests.length === 0) throw new Failure("BAD_INPUT", nothing);
	await add(tests);
	if (!mistake) return;
	const counts = [amounts.tests(tests.length), mistakes.length] as const;
	const imported = vscode.l10n.t("Copilot-LD: {0} imported, {1} skipped.", ...counts);
	void vscode.window.showWarningMessage([imported, ...left].join(" "));
}

async function add(tests: Parameters<typeof addTests>[1]): Promise<void> {
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	if (!folder) throw new Failure("NO_FOLDER", vscode.l10n.t("Open a folder first: tests are stored in it."));
	const file = vscode.Uri.joinPath(folder.uri, TESTS_PATH);
	const document = await editFile(file, (text) => addTests(text, tests));
	const last = new vscode.Position(document.lineCount - 1, 0);
	await vscode.window.showTextDocument(document, { selection: new vscode.Range(last, last) });
}
