import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as vscode from "vscode";
import { l10n } from "vscode";
import { Failure } from "../../base/failure.ts";
import { sizeOf } from "../../base/files/file.ts";
import type { Permissions } from "../../core/permission/permission.ts";
import { downloadModel, sizeOfFiles } from "../../embed/transformer/download.ts";
import { troubleOfRuntime } from "../../embed/transformer/embeddingProcess.ts";
import { readModelForm } from "../../embed/transformer/modelForm.ts";
import { type OfferedModel, offeredModels } from "../../embed/transformer/offeredModels.ts";
import { withProgress } from "../cancellation.ts";
import { workspaceUri } from "../folders.ts";
import { requireTrust } from "../registerEach.ts";
import { embeddingSettings, SECTION } from "../settings.ts";

interface StrongerSearchDeps {
	readonly context: vscode.ExtensionContext;
	readonly permissions: Permissions;
}

type Choice = vscode.QuickPickItem & { readonly use: () => Promise<void> };

export async function chooseStrongerSearch(deps: StrongerSearchDeps): Promise<void> {
	await requireRuntime(deps.context);
	const folder = join(deps.context.globalStorageUri.fsPath, "models");
	const offered = await Promise.all(offeredModels.map((model) => offer(model, folder, deps)));
	const isLocal = embeddingSettings().provider === "local";
	const builtIn = {
		label: l10n.t("Use the Built-in Model"),
		detail: l10n.t("Passages get its vectors again in the background"),
		use: () => setProvider("built-in", ""),
	};
	const detail = l10n.t(
		"A model on this computer, in the form in which sentence-transformers publishes them",
	);
	const folderOfUser = { label: l10n.t("Choose a Folder…"), detail, use: chooseFolder };
	const choices = [...offered.flat(), folderOfUser, ...(isLocal ? [builtIn] : [])];
	const placeHolder = l10n.t(
		"The model runs on this computer. No text leaves it. Passages get new vectors in the background, about 1,000 a minute.",
	);
	const options = { title: l10n.t("Stronger Search"), placeHolder, matchOnDetail: true };
	await (await vscode.window.showQuickPick(choices, options))?.use();
}

async function requireRuntime({ extensionPath }: vscode.ExtensionContext): Promise<void> {
	requireTrust(l10n.t("Trust this workspace first: a local model is native code."));
	const program = join(extensionPath, "dist", "embeddingProgram.cjs");
	const trouble = await withProgress({}, () => troubleOfRuntime(program));
	if (trouble === undefined) return;
	const words = l10n.t(
		"Local models cannot run on this computer ({0}). The built-in model stays in use.",
		trouble,
	);
	throw new Failure("UNSUPPORTED", words);
}

async function offer(model: OfferedModel, folder: string, deps: StrongerSearchDeps): Promise<Choice[]> {
	const path = join(folder, model.name);
	const { name, licence } = model;
	const [languages, size] = [inLanguages(model), megabytes(model)];
	if ((await sizeOf(join(path, "config.json"))) === 0) {
		const description = `${languages} · ${licence} · ${size}`;
		const detail = l10n.t("Downloads it from {0} after you agree", new URL(model.address).host);
		return [{ label: name, description, detail, use: () => fetchModel(model, folder, deps) }];
	}
	const isUsed = embeddingSettings().folder === path;
	const description = isUsed ? l10n.t("in use · {0}", size) : size;
	const remove = async () => {
		if (isUsed) await setProvider("built-in", "");
		await rm(path, { recursive: true, force: true });
	};
	return [
		...(isUsed ? [] : [{ label: name, description: languages, use: () => useFolder(path) }]),
		{ label: l10n.t("Remove {0}", name), description, use: remove },
	];
}

async function fetchModel(model: OfferedModel, folder: string, deps: StrongerSearchDeps): Promise<void> {
	const { name, licence, address } = model;
	await requireAllowed(model, deps);
	const download = l10n.t("Download");
	const detail = l10n.t(
		"{0}\n\nLanguages: {1}\nLicence: {2}\nDownload: {3}\n\nIt runs on this computer, and no text leaves it. All passages get new vectors in the background, about 1,000 a minute, and 1,000 of them take about 1 MB more on disk. Answers go on meanwhile.",
		address,
		inLanguages(model),
		licence,
		megabytes(model),
	);
	const message = l10n.t("Download the model {0} for Stronger Search?", name);
	if ((await vscode.window.showInformationMessage(message, { modal: true, detail }, download)) !== download)
		return;
	const title = l10n.t("Copilot-LD: Downloading {0}", name);
	const path = await withProgress({ title, total: 100 }, (tell, signal) => {
		let shown = 0;
		const report = (done: number, all: number) => {
			const now = Math.floor((100 * done) / all);
			for (; shown < now; shown++) tell(`${now} %`);
		};
		return downloadModel(model, { folder, report }, signal);
	});
	await useFolder(path);
}

/** Throws if a rule, for example of an organization, denies the publisher's host. */
async function requireAllowed(model: OfferedModel, { permissions }: StrongerSearchDeps): Promise<void> {
	const { name, address } = model;
	const { host } = new URL(address);
	const { effect } = await permissions.verdictFor({
		channel: "chat",
		tool: "download_model",
		title: name,
		workspace: workspaceUri(),
		mutates: true,
		arguments: [{ kind: "host", value: host }],
	});
	if (effect === "deny")
		throw new Failure("NOT_ALLOWED", l10n.t("A permission rule denies downloads from {0}.", host));
}

async function chooseFolder(): Promise<void> {
	const folders = { canSelectFolders: true, canSelectFiles: false };
	const [picked] = (await vscode.window.showOpenDialog(folders)) ?? [];
	if (!picked) return;
	await readModelForm(picked.fsPath);
	await useFolder(picked.fsPath);
}

async function useFolder(path: string): Promise<void> {
	await setProvider("local", path);
	const message = l10n.t(
		"Copilot-LD: Passages get stronger vectors in the background. The status bar shows how far it is.",
	);
	void vscode.window.showInformationMessage(message);
}

async function setProvider(provider: "built-in" | "local", folder: string): Promise<void> {
	const settings = vscode.workspace.getConfiguration(SECTION);
	const { globalValue = {} } = settings.inspect<object>("embedding.options") ?? {};
	const { Global } = vscode.ConfigurationTarget;
	await settings.update("embedding.options", { ...globalValue, folder }, Global);
	await settings.update("embedding.provider", provider, Global);
}

function inLanguages({ languages }: OfferedModel): string {
	return languages === "English" ? l10n.t("English") : l10n.t("about 100 languages");
}

function megabytes(model: OfferedModel): string {
	return l10n.t("{0} MB", Math.round(sizeOfFiles(model) / 1_000_000));
}
