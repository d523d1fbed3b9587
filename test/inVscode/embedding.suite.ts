import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { suite, suiteTeardown, test } from "mocha";
import * as vscode from "vscode";
import type { IndexStatus } from "../../src/core/knowledge/knowledge.ts";
import { tinyFiles } from "../embed/transformer/tinyModel.ts";
import { untilIt } from "../support/untilIt.ts";
import { invokeTool } from "./chat.ts";
import { tell } from "./testReport.ts";

const settings = () => vscode.workspace.getConfiguration("copilot-LD");

suite("the embedding settings", () => {
	suiteTeardown(async () => {
		for (const name of ["provider", "options"])
			await settings().update(`embedding.${name}`, undefined, vscode.ConfigurationTarget.Global);
	});

	test("“Stronger Search” offers models with size and licence, and says that no text leaves", async () => {
		const choosing = vscode.commands.executeCommand("copilot-ld.strongerSearch");
		const seen = await tell("lookAtPick", { words: "all-MiniLM-L6-v2", picture: "stronger-search" });
		await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
		await choosing;
		assert.notEqual(seen, undefined);
	});

	test("the vectors of a model in a folder take the place of the built-in model's, without another command", async () => {
		const folder = await mkdtemp(join(tmpdir(), "copilot-ld-"));
		for (const [path, content] of Object.entries(tinyFiles())) {
			await mkdir(dirname(join(folder, path)), { recursive: true });
			await writeFile(join(folder, path), content);
		}
		await settings().update("embedding.options", { folder }, vscode.ConfigurationTarget.Global);
		await settings().update("embedding.provider", "local", vscode.ConfigurationTarget.Global);
		const status = async () => vscode.commands.executeCommand<IndexStatus>("copilot-ld.showIndexStatus");
		await untilIt(status, ({ embedder }) => embedder.startsWith(basename(folder)));
		assert.match(await invokeTool("copilot-ld_search_knowledge", { query: "lamp keeper" }), /\[[^\]\n]+:\d+/);
		await rm(folder, { recursive: true });
	});
});
