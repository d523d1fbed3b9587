import * as vscode from "vscode";
import { messageOf } from "../../base/failure.ts";
import { numeral, plural } from "../../base/plural.ts";
import type {
	IndexData,
	PermissionData,
	SessionData,
	StoredData,
	StoredPart,
} from "../../core/storedData.ts";
import type { IndexWatch } from "../worker/indexState.ts";
import type { FolderReadiness } from "../worker/readiness.ts";

export interface ClearDeps {
	readonly indexData: IndexData;
	readonly sessionData: SessionData;
	readonly permissionData: PermissionData;
	readonly logData: StoredData<"logs">;
	readonly log: vscode.LogOutputChannel;
	readonly readiness: Pick<FolderReadiness, "forget">;
	readonly watch: Pick<IndexWatch, "forget">;
}

/** Something that can be cleared, as a person knows it. */
interface Clearable {
	readonly label: string;
	/** What is lost with it, in a sentence. */
	readonly detail: string;
	size(signal: AbortSignal): Promise<StoredPart>;
	clear(signal: AbortSignal): Promise<void>;
	readonly unit: readonly [one: string, many: string];
}

interface ClearItem extends vscode.QuickPickItem {
	readonly part: Clearable;
}

/** Lets a person choose from what is kept, with its size, and deletes it for good. Whoever keeps a part clears it. */
export async function clearData(deps: ClearDeps): Promise<void> {
	const { signal } = new AbortController();
	const items = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window }, () =>
		Promise.all(clearablesOf(deps).map((part) => itemOf(part, deps.log, signal))),
	);
	const chosen = await vscode.window.showQuickPick(items, {
		title: vscode.l10n.t("Clear Data"),
		placeHolder: vscode.l10n.t("Select what to delete for good; your own files stay as they are"),
		canPickMany: true,
		matchOnDetail: true,
	});
	if (!chosen || chosen.length === 0 || !(await confirm(chosen))) return;
	await clearAll(chosen, deps.log, signal);
}

function clearablesOf(deps: ClearDeps): Clearable[] {
	const { t } = vscode.l10n;
	const clearable = <Part extends string>(
		data: StoredData<Part>,
		part: Part,
		words: Pick<Clearable, "label" | "detail" | "unit">,
	): Clearable => ({
		...words,
		size: async (signal) => (await data.sizes(signal))[part],
		clear: (signal) => data.clear(part, signal),
	});
	const index = clearable(deps.indexData, "index", {
		label: t("Index"),
		detail: t(
			"Of this workspace, with the descriptions that a model wrote; the next question indexes it again",
		),
		unit: ["file", "files"],
	});
	return [
		{ ...index, clear: (signal) => index.clear(signal).then(() => forgetIndex(deps)) },
		clearable(deps.sessionData, "sessions", {
			label: t("Sessions"),
			detail: t("Of all workspaces, with those in the bin; sessions of the Copilot CLI stay"),
			unit: ["session", "sessions"],
		}),
		clearable(deps.sessionData, "memory", {
			label: t("Memory"),
			detail: t("What is remembered for sessions, for workspaces and for you"),
			unit: ["fact", "facts"],
		}),
		clearable(deps.permissionData, "rules", {
			label: t("Permission Rules"),
			detail: t("Those that deny, too, and what plugins you agreed to; rules of the settings stay"),
			unit: ["rule", "rules"],
		}),
		clearable(deps.permissionData, "decisions", {
			label: t("Audit Log"),
			detail: t("What was allowed and denied in the last 90 days"),
			unit: ["decision", "decisions"],
		}),
		clearable(deps.logData, "logs", {
			label: t("Log"),
			detail: t("Of this window, with what a problem report is made of"),
			unit: ["line", "lines"],
		}),
	];
}

/** It is neither ready nor known to be empty then: the next question makes it anew. */
function forgetIndex({ readiness, watch }: ClearDeps): void {
	readiness.forget();
	watch.forget();
}

/** What cannot be measured can be cleared all the same. */
async function itemOf(
	part: Clearable,
	log: vscode.LogOutputChannel,
	signal: AbortSignal,
): Promise<ClearItem> {
	const { label, detail, unit } = part;
	try {
		const { items, bytes, place } = await part.size(signal);
		const size = `${plural(items, ...unit)} · ${bytesText(bytes)}`;
		const at = place === undefined ? "" : ` (${place})`;
		return { label, description: size, detail: detail + at, part };
	} catch (thrown) {
		log.warn(messageOf(thrown));
		return { label, description: vscode.l10n.t("size unknown"), detail, part };
	}
}

/** As file managers write it. */
export function bytesText(bytes: number): string {
	if (bytes < 1000) return plural(bytes, "byte");
	const [unit, size] = bytes < 1_000_000 ? ["KB", bytes / 1000] : ["MB", bytes / 1_000_000];
	return `${size < 10 ? size.toFixed(1) : numeral(Math.round(size))} ${unit}`;
}

async function confirm(chosen: readonly ClearItem[]): Promise<boolean> {
	const clear = vscode.l10n.t("Delete");
	const message = vscode.l10n.t("Delete for good: {0}?", listOf(chosen));
	const detail = vscode.l10n.t("This cannot be undone.");
	return (await vscode.window.showWarningMessage(message, { modal: true, detail }, clear)) === clear;
}

function listOf(items: readonly ClearItem[]): string {
	return items.map(({ label, description }) => `${label} (${description})`).join(", ");
}

/** One part that cannot be cleared holds no other back. */
async function clearAll(
	chosen: readonly ClearItem[],
	log: vscode.LogOutputChannel,
	signal: AbortSignal,
): Promise<void> {
	const title = vscode.l10n.t("Copilot-LD: deleting");
	const failures: string[] = [];
	await vscode.window.withProgress(
		{ location: vscode.ProgressLocation.Notification, title },
		async (progress) => {
			for (const { label, part } of chosen) {
				progress.report({ message: label });
				await part.clear(signal).catch((thrown: unknown) => {
					log.error(thrown instanceof Error ? thrown : String(thrown));
					failures.push(`${label}: ${messageOf(thrown)}`);
				});
			}
		},
	);
	const done = chosen.length - failures.length;
	if (failures.length > 0) void vscode.window.showErrorMessage(`Copilot-LD: ${failures.join(" ")}`);
	if (done > 0)
		void vscode.window.showInformationMessage(
			vscode.l10n.t("Copilot-LD: {0} of {1} deleted.", done, chosen.length),
		);
}
