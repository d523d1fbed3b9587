import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";

export async function saveReport() {
	const folder = await mkdtemp(join(tmpdir(), "report-"));
	try {
		const path = join(folder, "report.json");
		await vscode.commands.executeCommand("copilot-ld.reportProblem", vscode.Uri.file(path));
		const text = await readFile(path, "utf8");
		return { text, report: JSON.parse(text) };
	} finally {
		await rm(folder, { recursive: true });
	}
}
