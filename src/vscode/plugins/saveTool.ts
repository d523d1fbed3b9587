import * as vscode from "vscode";
import { l10n } from "vscode";
import { stringify } from "yaml";
import { Failure } from "../../base/failure.ts";
import { boundedText, visibleText } from "../../base/text/visibleText.ts";
import { PLUGINS_FOLDER } from "../../core/plugin/plugin.ts";
import type { Sessions, TranscriptTurn } from "../../core/session/session.ts";
import { askedIn, lineFor, partsOf, pluginFileFor, withLine } from "../../plugins/save/draft.ts";
import { createFile } from "../folders.ts";
import { findInTurn } from "../turn/turnOf.ts";
import { askPluginName } from "./pluginActions.ts";

export async function saveAsTool(sessions: Sessions, turn: readonly unknown[]): Promise<void> {
	const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
	if (!folder) throw new Failure("NO_FOLDER", l10n.t("Open a folder first: the tool is stored in it."));
	const { asked, question } = await findAsked(sessions, turn);
	const chosen = await pickParts(partsOf(asked));
	const parts = chosen && (await askParameters(chosen));
	const name = parts && (await askPluginName(folder, { title: l10n.t("Save as Tool") }));
	const description = name && (await askDescription(question));
	if (!parts || !name || !description) return;
	const file = pluginFileFor(asked, { description, parts });
	const uri = vscode.Uri.joinPath(folder, PLUGINS_FOLDER, name, "plugin.yaml");
	await createFile(uri, stringify(file, { lineWidth: 0 }));
}

function findAsked(sessions: Sessions, turn: readonly unknown[]) {
	const hint = l10n.t(
		"Ask @copilot-ld a question first, or use /search or /graph. The answer can then be saved as a tool.",
	);
	const find = (one: TranscriptTurn) => {
		const asked = askedIn(one);
		return asked && { asked, question: one.question };
	};
	return findInTurn(sessions, turn, find, hint);
}

type Parts = ReturnType<typeof partsOf>;

async function pickParts(parts: Parts): Promise<Parts | undefined> {
	if (parts.length === 0) return [];
	const items = parts.map((part) => ({
		label: visibleText(boundedText(part.value, LISTED)),
		description: `${part.name}: ${part.type}`,
		picked: part.isLikely,
		part,
	}));
	const title = l10n.t("Save as Tool");
	const placeHolder = l10n.t("Select the values that can differ from call to call");
	const chosen = await vscode.window.showQuickPick(items, { title, placeHolder, canPickMany: true });
	return chosen?.map(({ part }) => part);
}

async function askParameters(parts: Parts) {
	if (parts.length === 0) return parts;
	const line = await vscode.window.showInputBox({
		title: l10n.t("Save as Tool"),
		prompt: l10n.t(
			"Change names and types (string, date, iri, int, float), and add descriptions after an equals sign",
		),
		value: lineFor(parts),
		validateInput: (text) =>
			withLine(parts, text)
				? undefined
				: l10n.t("Write “name: type = description” for each value, with semicolons between them."),
	});
	return line === undefined ? undefined : withLine(parts, line);
}

const LISTED = 100;

async function askDescription(question: string): Promise<string | undefined> {
	return vscode.window.showInputBox({
		title: l10n.t("Save as Tool"),
		prompt: l10n.t("Describe when agents should use it"),
		value: question.replace(/\s+/g, " ").slice(0, DESCRIBED),
		validateInput: (value) =>
			value.trim() === "" ? l10n.t("Agents choose a tool by its description.") : undefined,
	});
}

const DESCRIBED = 500;
