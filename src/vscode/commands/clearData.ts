import * as vscode from "vscode";
import { l10n } from "vscode";
import { messageOf } from "../../base/failure.ts";
import type { StoredData } from "../../core/storedData.ts";
import { withProgress } from "../cancellation.ts";
import { isConfirmed } from "../confirmLines.ts";
import { amounts, counted, toldOf } from "../l10n.ts";
import type { createLogs } from "../logs.ts";
import type { PermissionsLink } from "../permissions/link.ts";
import type { EditorServices } from "../worker/readiness.ts";

export interface ClearDeps extends EditorServices {
	readonly permissions: PermissionsLink;
	readonly logs: ReturnType<typeof createLogs>;
}

interface ClearItem extends vscode.QuickPickItem {
	clear(): Promise<void>;
}

export async function clearData(deps: ClearDeps): Promise<void> {
	const items = await withProgress({}, () => Promise.all(itemsOf(deps)));
	const chosen = await vscode.window.showQuickPick(items, {
		title: l10n.t("Clear Data"),
		placeHolder: l10n.t("Select what to permanently delete; your own files stay as they are"),
		canPickMany: true,
		matchOnDetail: true,
	});
	if (!chosen || chosen.length === 0) return;
	const names = chosen.map(({ label, description }) => `${label} (${description})`).join(", ");
	const message = l10n.t("Permanently delete {0}?", names);
	const detail = l10n.t("This cannot be undone.");
	if (await isConfirmed(message, l10n.t("Delete"), detail)) await clearAll(chosen, deps.log);
}

function itemsOf({ worker, permissions, logs, ...deps }: ClearDeps): Promise<ClearItem>[] {
	const { indexData, sessionData } = worker;
	const item = <Part extends string>(data: StoredData<Part>, part: Part, words: Words) =>
		itemOf(data, part, words, deps.log);
	const index = item(indexData, "index", {
		label: l10n.t("Index"),
		detail: l10n.t("Of this workspace, including model-written descriptions; rebuilt on the next question"),
		count: amounts.files,
	});
	const { forget } = deps.readiness;
	return [
		index.then(({ clear, ...shown }) => ({
			...shown,
			clear: () =>
				clear()
					.then(forget)
					.then(() => deps.watch.note({ contents: undefined })),
		})),
		item(sessionData, "sessions", {
			label: l10n.t("Sessions"),
			detail: l10n.t("In all workspaces, even deleted ones; sessions of the Copilot CLI are kept"),
			count: counted(l10n.t("1 session"), l10n.t("{0} sessions")),
		}),
		item(sessionData, "memory", {
			label: l10n.t("Memory"),
			detail: l10n.t("Facts remembered for sessions, for workspaces, and for you"),
			count: counted(l10n.t("1 fact"), l10n.t("{0} facts")),
		}),
		item(permissions.stored, "rules", {
			label: l10n.t("Permission Rules"),
			detail: l10n.t("Also rules that deny, and consents to plugins; rules in settings are kept"),
			count: counted(l10n.t("1 rule"), l10n.t("{0} rules")),
		}),
		item(permissions.stored, "decisions", {
			label: l10n.t("Audit Log"),
			detail: l10n.t("What was allowed and denied in the last 90 days"),
			count: counted(l10n.t("1 decision"), l10n.t("{0} decisions")),
		}),
		item(logs.stored, "logs", {
			label: l10n.t("Log"),
			detail: l10n.t("Of this window, including the data for problem reports"),
			count: counted(l10n.t("1 line"), l10n.t("{0} lines")),
		}),
	];
}

interface Words {
	readonly label: string;
	readonly detail: string;
	count(items: number): string;
}

/** Returns the choice to clear a part of the data, even if its size cannot be measured. */
async function itemOf<Part extends string>(
	data: StoredData<Part>,
	part: Part,
	{ label, detail, count }: Words,
	log: vscode.LogOutputChannel,
): Promise<ClearItem> {
	const { signal } = new AbortController();
	const clear = () => data.clear(part, signal);
	try {
		const { items, bytes, place } = (await data.sizes(signal))[part];
		const at = place === undefined ? "" : ` (${place})`;
		return { label, description: `${count(items)} · ${bytesText(bytes)}`, detail: detail + at, clear };
	} catch (thrown) {
		log.warn(messageOf(thrown));
		return { label, description: l10n.t("size unknown"), detail, clear };
	}
}

function bytesText(bytes: number): string {
	const [unit, size] = bytes < 1_000_000 ? ["kilobyte", bytes / 1000] : ["megabyte", bytes / 1_000_000];
	const maximumFractionDigits = size < 10 ? 1 : 0;
	const format = { style: "unit", unit, unitDisplay: "short", maximumFractionDigits } as const;
	return size.toLocaleString(vscode.env.language, format);
}

async function clearAll(chosen: readonly ClearItem[], log: vscode.LogOutputChannel): Promise<void> {
	const options = { location: vscode.ProgressLocation.Notification, title: l10n.t("Copilot-LD: deleting") };
	const failures: string[] = [];
	await vscode.window.withProgress(options, async (progress) => {
		for (const { label, clear } of chosen) {
			progress.report({ message: label });
			await clear().catch((thrown: unknown) => {
				log.error(thrown instanceof Error ? thrown : String(thrown));
				failures.push(`${label}: ${toldOf(thrown)}`);
			});
		}
	});
	const done = chosen.length - failures.length;
	if (failures.length > 0) void vscode.window.showErrorMessage(`Copilot-LD: ${failures.join(" ")}`);
	const words = l10n.t("Copilot-LD: {0} of {1} deleted.", done, chosen.length);
	if (done > 0) void vscode.window.showInformationMessage(words);
}
