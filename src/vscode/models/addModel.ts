import * as vscode from "vscode";
import { Failure } from "../../base/failure.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import { createModelServer, type ModelServer, type OfferedModel } from "../../models/modelServer.ts";
import { isReadByOthers, readServerAddress, type ServerAddress } from "../../models/serverAddress.ts";
import { LIKELY_TOKENS } from "../../models/tokenEstimate.ts";
import { ModelTrouble } from "../../models/troubleOf.ts";
import { isCancellation } from "../cancellation.ts";
import { isConfirmed } from "../confirmLines.ts";
import { amounts, toldOf } from "../l10n.ts";
import { modelKeyName } from "../secrets.ts";
import { type SavedModel, type SavedModels, toInformation, VENDOR } from "./savedModels.ts";

/** Keeps the input open while the user looks something up elsewhere. */
const STAYING = { title: vscode.l10n.t("Add Model"), ignoreFocusOut: true };

interface FoundServer {
	readonly address: ServerAddress;
	readonly key: string | undefined;
	readonly server: ModelServer;
	/** Absent if the server does not list its models. */
	readonly models?: readonly OfferedModel[];
}

export async function addModel(saved: SavedModels, secrets: vscode.SecretStorage): Promise<void> {
	const found = await askServer(secrets);
	const chosen = found && (await chooseModel(found));
	if (!found || !chosen) return;
	const described = await found.server.describe(chosen, new AbortController().signal);
	const contextTokens = await askWindow(described);
	const abilities = contextTokens === undefined ? undefined : await askAbilities(described);
	if (contextTokens === undefined || !abilities) return;
	const { base, origin } = found.address;
	if (found.key !== undefined) await secrets.store(modelKeyName(origin), found.key);
	const { name, outputTokens } = described;
	const limit = outputTokens !== undefined && { outputTokens };
	const model: SavedModel = { base, name, contextTokens, ...limit, ...abilities };
	await saved.add(model);
	void offerToUse(model);
}

async function offerToUse(model: SavedModel): Promise<void> {
	const use = vscode.l10n.t("Use It Now");
	const { id, name } = toInformation(model);
	const message = vscode.l10n.t("Copilot-LD: {0} is now in the model picker of the chat.", name);
	if ((await vscode.window.showInformationMessage(message, use)) !== use) return;
	const begun = { query: "@copilot-ld ", isPartialQuery: true, modelSelector: { vendor: VENDOR, id } };
	await vscode.commands.executeCommand("workbench.action.chat.open", begun);
}

/** A server that was found, or the address of a server that requires a key. */
type Looked = FoundServer | { readonly lacksKey: ServerAddress };

async function askServer(secrets: vscode.SecretStorage): Promise<FoundServer | undefined> {
	const prompt = vscode.l10n.t(
		"The address of a server that is compatible with the OpenAI API: Ollama, LM Studio, llama.cpp, vLLM, or a cloud service",
	);
	const local = { prompt, value: "http://localhost:11434/v1" };
	const found = await askUntil(local, async (typed, signal): Promise<Looked> => {
		const addresses = readServerAddress(typed);
		await requireAgreed(addresses[0]);
		return findServer(addresses, secrets, signal);
	});
	if (!found || !("lacksKey" in found)) return found;
	const address = found.lacksKey;
	const { origin } = address;
	const words = vscode.l10n.t("API key for {0}. It is stored in the secret storage of VS Code.", origin);
	const secret = { prompt: words, password: true };
	return askUntil(secret, (typed, signal) => openServer(address, typed.trim(), signal));
}

/** Asks until the check accepts the input. If the check fails, keeps the input and shows the error below. */
function askUntil<Found>(
	options: { readonly prompt: string; readonly value?: string; readonly password?: boolean },
	check: (typed: string, signal: AbortSignal) => Promise<Found>,
): Promise<Found | undefined> {
	const { promise, resolve } = Promise.withResolvers<Found | undefined>();
	const box = Object.assign(vscode.window.createInputBox(), STAYING, options);
	const closing = new AbortController();
	const accept = async () => {
		box.busy = true;
		try {
			resolve(await check(box.value, closing.signal));
			box.hide();
		} catch (thrown) {
			if (!isCancellation(thrown)) box.validationMessage = toldInBox(thrown);
		}
		box.busy = false;
	};
	box.onDidAccept(accept);
	box.onDidChangeValue(() => {
		box.validationMessage = undefined;
	});
	box.onDidHide(() => {
		closing.abort(new vscode.CancellationError());
		resolve(undefined);
		box.dispose();
	});
	box.show();
	return promise;
}

function kindOf(thrown: unknown): ModelTrouble["kind"] | undefined {
	return thrown instanceof ModelTrouble ? thrown.kind : undefined;
}

/** Errors after which the other addresses of the server need not be tried. */
const ABSENT: ReadonlySet<ModelTrouble["kind"] | undefined> = new Set(["unreachable", "silent", undefined]);

function toldInBox(thrown: unknown): string {
	const kind = kindOf(thrown);
	if (kind !== undefined && ABSENT.has(kind))
		return vscode.l10n.t("No server answers at this address. Start it, or correct the address.");
	if (kind === "keyRefused") return vscode.l10n.t("The server refuses this key.");
	return toldOf(thrown);
}

/** Asks for consent if others can read the traffic. Rejects with a cancellation if the user refuses. */
async function requireAgreed(address: ServerAddress): Promise<void> {
	if (!isReadByOthers(address)) return;
	const message = vscode.l10n.t(
		"Anyone on the network path to {0} can read what is sent there: your questions, the passages that answer them, and a key.",
		address.origin,
	);
	const detail = vscode.l10n.t("The address starts with http instead of https, and is not on this machine.");
	if (!(await isConfirmed(message, vscode.l10n.t("Use It Anyway"), detail)))
		throw new vscode.CancellationError();
}

async function findServer(
	addresses: readonly [ServerAddress, ...ServerAddress[]],
	secrets: vscode.SecretStorage,
	signal: AbortSignal,
): Promise<Looked> {
	const [first] = addresses;
	// All addresses belong to one server.
	const key = await secrets.get(modelKeyName(first.origin));
	let last: unknown;
	for (const address of addresses) {
		try {
			return await openServer(address, key, signal);
		} catch (thrown) {
			const kind = kindOf(thrown);
			if (kind === "keyRefused") return { lacksKey: address };
			if (ABSENT.has(kind)) throw thrown;
			last = thrown;
		}
	}
	// Some servers have models, but do not list them.
	if (kindOf(last) !== "modelUnknown") throw last;
	return { address: first, key, server: createModelServer({ address: first, key }) };
}

async function openServer(address: ServerAddress, key: string | undefined, signal: AbortSignal) {
	const server = createModelServer({ address, key });
	return { address, key, server, models: await server.models(signal) };
}

/** Maximum number of models offered in a list. If there are more models, the user types the name. */
const MOST_LISTED = 5000;

async function chooseModel({ models, address }: FoundServer): Promise<OfferedModel | undefined> {
	if (!models || models.length > MOST_LISTED) return typeModel(address);
	const none = vscode.l10n.t("{0} has no models. Load one there, and run the command again.", address.base);
	if (models.length === 0) throw new Failure("NOT_FOUND", none);
	const items = models.map((model) => ({
		label: visibleText(model.name),
		description: model.contextTokens === undefined ? "" : amounts.tokens(model.contextTokens),
		model,
	}));
	const placeHolder = vscode.l10n.t("Select a model of {0}", address.base);
	return (await vscode.window.showQuickPick(items, { ...STAYING, placeHolder }))?.model;
}

async function typeModel({ base }: ServerAddress): Promise<OfferedModel | undefined> {
	const prompt = vscode.l10n.t(
		"{0} does not list its models. Enter the name of a model as the server knows it.",
		base,
	);
	const typed = await vscode.window.showInputBox({ ...STAYING, prompt });
	const name = typed?.trim() ?? "";
	return name === "" ? undefined : { name };
}

const LEAST_TOKENS = 2048;

async function askWindow({ name, contextTokens }: OfferedModel): Promise<number | undefined> {
	const model = visibleText(name);
	const asked =
		contextTokens === undefined
			? vscode.l10n.t("Tokens that {0} can read and write in one request. The server does not say.", model)
			: vscode.l10n.t("Tokens that {0} can read and write in one request, according to the server.", model);
	const hint = vscode.l10n.t("Ollama uses OLLAMA_CONTEXT_LENGTH, and silently cuts longer prompts.");
	const typed = await vscode.window.showInputBox({
		...STAYING,
		prompt: `${asked} ${hint}`,
		value: `${contextTokens ?? LIKELY_TOKENS}`,
		validateInput: (text) =>
			/^\s*\d{4,8}\s*$/.test(text) && Number(text) >= LEAST_TOKENS
				? undefined
				: vscode.l10n.t("Enter a whole number of tokens, at least {0}.", LEAST_TOKENS),
	});
	return typed === undefined ? undefined : Number(typed);
}

/** Asks for the model's abilities. By default, a model calls tools and sees no images, like most models. */
async function askAbilities({ name, canCallTools = true, canSeeImages = false }: OfferedModel) {
	const description = vscode.l10n.t("required by the agent mode of the chat");
	const tools = { label: vscode.l10n.t("Calls tools"), description, picked: canCallTools };
	const images = { label: vscode.l10n.t("Sees images"), picked: canSeeImages };
	const placeHolder = vscode.l10n.t("Select what {0} can do", visibleText(name));
	const options = { ...STAYING, placeHolder, canPickMany: true } as const;
	const picked = await vscode.window.showQuickPick([tools, images], options);
	return picked && { canCallTools: picked.includes(tools), canSeeImages: picked.includes(images) };
}
