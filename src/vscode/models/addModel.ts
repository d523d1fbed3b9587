import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import { createModelServer, type ModelServer, type OfferedModel } from "../../models/modelServer.ts";
import { isReadByOthers, readServerAddress, type ServerAddress } from "../../models/serverAddress.ts";
import { LIKELY_TOKENS } from "../../models/tokenEstimate.ts";
import { ModelTrouble } from "../../models/troubleOf.ts";
import { signalOf } from "../cancellation.ts";
import { amounts, toldOf } from "../l10n.ts";
import { readModelKey, storeModelKey } from "../secrets.ts";
import type { SavedModels } from "./savedModels.ts";

const TITLE = vscode.l10n.t("Add Model");

interface AddDeps {
	readonly saved: SavedModels;
	readonly secrets: vscode.SecretStorage;
}

interface FoundServer {
	readonly address: ServerAddress;
	readonly key: string | undefined;
	readonly server: ModelServer;
	/** Absent if it does not list them. */
	readonly models?: readonly OfferedModel[];
}

/** Asks for a server, finds its models, and stores the chosen one. Resolves to whether one was added. */
export async function addModel({ saved, secrets }: AddDeps): Promise<boolean> {
	const addresses = await askAddress();
	if (!addresses) return false;
	const found = await findServer(addresses, secrets);
	const chosen = found && (await chooseModel(found));
	if (!found || !chosen) return false;
	const described = await withProgress(vscode.l10n.t("Asking the server about the model"), (signal) =>
		found.server.describe(chosen, signal),
	);
	const contextTokens = await askWindow(described);
	const abilities = contextTokens === undefined ? undefined : await askAbilities(described);
	if (contextTokens === undefined || !abilities) return false;
	const { base, origin } = found.address;
	if (found.key !== undefined) await storeModelKey(secrets, origin, found.key);
	const { name, outputTokens } = described;
	const most = outputTokens !== undefined && { outputTokens };
	await saved.add({ base, name, contextTokens, ...most, ...abilities });
	void vscode.window.showInformationMessage(
		vscode.l10n.t("Copilot-LD: {0} is now in the model picker of the chat.", visibleText(described.name)),
	);
	return true;
}

async function askAddress(): Promise<readonly ServerAddress[] | undefined> {
	const typed = await vscode.window.showInputBox({
		title: TITLE,
		prompt: vscode.l10n.t(
			"The address of a server that is compatible with the OpenAI API: Ollama, LM Studio, llama.cpp, vLLM, or a cloud service",
		),
		value: "http://localhost:11434/v1",
		ignoreFocusOut: true,
		validateInput: (text) => whyNot(() => readServerAddress(text)),
	});
	if (typed === undefined) return undefined;
	const addresses = readServerAddress(typed);
	const [{ origin }] = addresses;
	const goOn = vscode.l10n.t("Use It Anyway");
	const isFine =
		!isReadByOthers(addresses[0]) ||
		(await vscode.window.showWarningMessage(
			vscode.l10n.t(
				"Anyone on the network path to {0} can read what is sent there: your questions, the passages that answer them, and a key.",
				origin,
			),
			{
				modal: true,
				detail: vscode.l10n.t("The address starts with http instead of https, and is not on this machine."),
			},
			goOn,
		)) === goOn;
	return isFine ? addresses : undefined;
}

function whyNot(check: () => unknown): string | undefined {
	try {
		check();
		return undefined;
	} catch (thrown) {
		return toldOf(thrown);
	}
}

/** The first of the addresses that lists models, else the given one; asks for a key if the server requires one. */
async function findServer(
	addresses: readonly ServerAddress[],
	secrets: vscode.SecretStorage,
): Promise<FoundServer | undefined> {
	let last: unknown;
	for (const address of addresses) {
		try {
			return await openServer(address, await readModelKey(secrets, address.origin));
		} catch (thrown) {
			if (!mayBeElsewhere(thrown)) throw thrown;
			last = thrown;
		}
	}
	if (last instanceof ModelTrouble && last.kind === "modelUnknown") return withoutList(addresses, secrets);
	throw last;
}

/** Whether the server answered, though not with a list: another address of it may have one. */
function mayBeElsewhere(thrown: unknown): boolean {
	return thrown instanceof ModelTrouble && thrown.kind !== "unreachable" && thrown.kind !== "silent";
}

/** Some servers know models, and have no list of them. */
async function withoutList(
	[address]: readonly ServerAddress[],
	secrets: vscode.SecretStorage,
): Promise<FoundServer | undefined> {
	if (!address) return undefined;
	const key = await readModelKey(secrets, address.origin);
	return { address, key, server: createModelServer({ address, key }) };
}

async function openServer(address: ServerAddress, key: string | undefined): Promise<FoundServer | undefined> {
	const server = createModelServer({ address, key });
	try {
		const models = await withProgress(vscode.l10n.t("Looking for models at {0}", address.base), (signal) =>
			server.models(signal),
		);
		return { address, key, server, models };
	} catch (thrown) {
		if (!(thrown instanceof ModelTrouble) || thrown.kind !== "keyRefused") throw thrown;
		const other = await askKey(address, thrown);
		return other === undefined ? undefined : openServer(address, other);
	}
}

async function askKey({ origin }: ServerAddress, { message }: ModelTrouble): Promise<string | undefined> {
	const typed = await vscode.window.showInputBox({
		title: TITLE,
		prompt: vscode.l10n.t("API key for {0}. It is stored in the secret storage of VS Code.", origin),
		placeHolder: message,
		password: true,
		ignoreFocusOut: true,
	});
	return typed?.trim() || undefined;
}

/** More entries would be too many for VS Code's list, and for the user. */
const MOST_LISTED = 5000;

async function chooseModel({ models, address }: FoundServer): Promise<OfferedModel | undefined> {
	if (!models || models.length > MOST_LISTED) return typeModel(address);
	if (models.length === 0)
		throw new Failure(
			"NOT_FOUND",
			vscode.l10n.t("{0} has no models. Load one there, and run the command again.", address.base),
		);
	const items = models.map((model) => ({
		label: visibleText(model.name),
		...(model.contextTokens !== undefined && {
			description: amounts.tokens(model.contextTokens),
		}),
		model,
	}));
	const options = {
		title: TITLE,
		placeHolder: vscode.l10n.t("Select a model of {0}", address.base),
		ignoreFocusOut: true,
	};
	return (await vscode.window.showQuickPick(items, options))?.model;
}

async function typeModel({ base }: ServerAddress): Promise<OfferedModel | undefined> {
	const typed = await vscode.window.showInputBox({
		title: TITLE,
		prompt: vscode.l10n.t(
			"{0} does not list its models. Enter the name of a model as the server knows it.",
			base,
		),
		ignoreFocusOut: true,
	});
	const name = typed?.trim() ?? "";
	return name === "" ? undefined : { name };
}

const LEAST_TOKENS = 2048;

async function askWindow({ name, contextTokens }: OfferedModel): Promise<number | undefined> {
	const typed = await vscode.window.showInputBox({
		title: TITLE,
		prompt: [
			contextTokens === undefined
				? vscode.l10n.t(
						"Tokens that {0} can read and write in one request. The server does not say.",
						visibleText(name),
					)
				: vscode.l10n.t(
						"Tokens that {0} can read and write in one request, according to the server.",
						visibleText(name),
					),
			vscode.l10n.t("Ollama uses OLLAMA_CONTEXT_LENGTH, and silently cuts longer prompts."),
		].join(" "),
		value: `${contextTokens ?? LIKELY_TOKENS}`,
		ignoreFocusOut: true,
		validateInput: (text) =>
			isWindow(text)
				? undefined
				: vscode.l10n.t("Enter a whole number of tokens, at least {0}.", LEAST_TOKENS),
	});
	return typed === undefined ? undefined : Number(typed);
}

function isWindow(text: string): boolean {
	return /^\s*\d{4,8}\s*$/.test(text) && Number(text) >= LEAST_TOKENS;
}

/** Most models call tools; few see. */
async function askAbilities({ name, canCallTools = true, canSeeImages = false }: OfferedModel) {
	const tools = {
		label: vscode.l10n.t("Calls tools"),
		description: vscode.l10n.t("required by the agent mode of the chat"),
		picked: canCallTools,
	};
	const images = { label: vscode.l10n.t("Sees images"), picked: canSeeImages };
	const picked = await vscode.window.showQuickPick([tools, images], {
		title: TITLE,
		placeHolder: vscode.l10n.t("Select what {0} can do", visibleText(name)),
		canPickMany: true,
		ignoreFocusOut: true,
	});
	return picked && { canCallTools: picked.includes(tools), canSeeImages: picked.includes(images) };
}

function withProgress<T>(doing: string, run: (signal: AbortSignal) => Promise<T>): Thenable<T> {
	return vscode.window.withProgress(
		{
			location: vscode.ProgressLocation.Notification,
			title: `Copilot-LD: ${doing}`,
			cancellable: true,
		},
		(_, token) => run(signalOf(token)),
	);
}
