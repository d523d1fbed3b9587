import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import { askAbout, findRelated } from "./askAbout.ts";
import { excludeFromIndex } from "./exclude.ts";
import { subjectOf } from "./subject.ts";

/** What can be done with a line of the view "Knowledge", a file, a selection or a hit. */
export function nodeCommands(knowledge: Knowledge): Record<string, (target?: unknown) => unknown> {
	return {
		"copilot-ld.askAbout": askAbout,
		"copilot-ld.findRelated": (target) => findRelated(knowledge, target),
		"copilot-ld.revealFile": (target) =>
			vscode.commands.executeCommand("revealInExplorer", subjectOf(target).uri),
		"copilot-ld.copyPath": (target) => vscode.env.clipboard.writeText(subjectOf(target).uri.fsPath),
		"copilot-ld.copyIri": (target) => copyIri(target),
		"copilot-ld.excludeFromIndex": (target) => excludeFromIndex(subjectOf(target)),
		"copilot-ld.filterKnowledge": filterKnowledge,
		"copilot-ld.newChat": newChat,
	};
}

async function copyIri(target: unknown): Promise<void> {
	const { iri } = subjectOf(target);
	if (iri === undefined)
		throw new Failure("BAD_INPUT", vscode.l10n.t("Select a thing in the Knowledge view first."));
	await vscode.env.clipboard.writeText(iri);
}

/** VS Code's own find in trees, on what is unfolded. */
async function filterKnowledge(): Promise<void> {
	await vscode.commands.executeCommand("copilot-ld.knowledge.focus");
	await vscode.commands.executeCommand("list.find");
}

async function newChat(): Promise<void> {
	await vscode.commands.executeCommand("workbench.action.chat.newChat");
	await vscode.commands.executeCommand("workbench.action.chat.open", {
		query: "@copilot-ld ",
		isPartialQuery: true,
	});
}
