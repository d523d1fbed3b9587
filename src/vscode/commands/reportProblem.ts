import * as vscode from "vscode";
import { l10n } from "vscode";
import { machineFacts } from "../../base/program/machineFacts.ts";
import type { Recorder } from "../../base/traces/recorder.ts";
import {
	contentsOf,
	gatherReport,
	metadataOf,
	type ReportedSetting,
	type ReportParts,
	reportText,
} from "../../protocol/problemReport.ts";
import { saveText } from "../folders.ts";
import { secretsKnown } from "../secrets.ts";
import { type Declared, declaredSettings, SECTION } from "../settings.ts";
import type { TurnTraces } from "../turn/turnTraces.ts";
import type { EditorServices } from "../worker/readiness.ts";

export interface ReportDeps extends EditorServices {
	readonly recorder: Recorder;
	readonly traces: TurnTraces;
}

/** Saves a report as the user chooses, or only metadata to `target`. Resolves to the report's location. */
export async function runReportCommand(deps: ReportDeps, target: unknown): Promise<vscode.Uri | undefined> {
	if (target instanceof vscode.Uri) return saveText(reportText(metadataOf(await gather(deps))), "", target);
	const choice = await vscode.window.showQuickPick(CHOICES, { title: l10n.t("Report a Problem") });
	if (!choice) return undefined;
	const parts = await gather(deps);
	const text = choice.isWhole
		? await confirmed(reportText(contentsOf(parts, await secretsKnown(deps.context))))
		: reportText(metadataOf(parts));
	if (text === undefined) return undefined;
	const moment = new Date(parts.at).toISOString().slice(0, 19).replaceAll(":", "-");
	const uri = await saveText(text, `copilot-ld-report-${moment}.json`);
	const words = l10n.t("Copilot-LD: the report was saved. Nothing was sent: attach it to an issue yourself.");
	if (uri) void vscode.window.showInformationMessage(words);
	return uri;
}

const CHOICES = [
	{
		label: l10n.t("Metadata only"),
		detail: l10n.t(
			"Versions, settings, counts, and what ran when and for how long. No file names, and nothing that you wrote.",
		),
		isWhole: false,
	},
	{
		label: l10n.t("With contents, after a preview"),
		detail: l10n.t(
			"Also log messages, questions, and file names. What looks like a secret is removed; you see all of it first.",
		),
		isWhole: true,
	},
];

async function confirmed(text: string): Promise<string | undefined> {
	const document = await vscode.workspace.openTextDocument({ language: "json", content: text });
	await vscode.window.showTextDocument(document);
	const saveIt = l10n.t("Save Report…");
	const warning = l10n.t(
		"Copilot-LD: read this report before you save it. Secrets that look like ordinary words cannot be recognized; delete what nobody else should read.",
	);
	const answer = await vscode.window.showInformationMessage(warning, saveIt);
	return answer === saveIt ? document.getText() : undefined;
}

function gather({ context, traces, worker, ...deps }: ReportDeps): Promise<ReportParts> {
	const told = { surroundings: surroundings(context), settings: reportedSettings(), turns: traces.last() };
	return gatherReport({ ...deps, diagnose: worker.diagnose }, told);
}

function surroundings({ extension }: vscode.ExtensionContext): Readonly<Record<string, unknown>> {
	const { appHost, remoteName, uiKind } = vscode.env;
	const { versions, platform } = machineFacts();
	const { electron } = process.versions;
	const { version } = extension.packageJSON;
	return {
		versions: { extension: version, vscode: vscode.version, ...versions, electron },
		platform,
		window: {
			appHost,
			isRemote: remoteName !== undefined,
			isWeb: uiKind === vscode.UIKind.Web,
			isTrusted: vscode.workspace.isTrusted,
			folders: vscode.workspace.workspaceFolders?.length ?? 0,
		},
	};
}

function reportedSettings(): ReportedSetting[] {
	const configuration = vscode.workspace.getConfiguration();
	const report = (name: string, { enum: choices = [], properties = {} }: Declared): ReportedSetting[] => {
		const value = configuration.get<unknown>(name);
		const isDefault = JSON.stringify(value) === JSON.stringify(configuration.inspect(name)?.defaultValue);
		const members = Object.entries(properties).flatMap(([member, one]) => report(`${name}.${member}`, one));
		return [{ name, value, isDefault, choices }, ...members];
	};
	return Object.entries(declaredSettings()).flatMap(([name, one]) => report(`${SECTION}.${name}`, one));
}
