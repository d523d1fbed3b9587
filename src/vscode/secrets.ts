import * as vscode from "vscode";
import { Failure } from "../base/failure.ts";
import { secretsKnownHere } from "../base/program/knownSecrets.ts";
import type { KnownSecrets } from "../base/text/redact.ts";
import type { SecretQuery } from "../protocol/worker.ts";
import { embeddingSettings, storageSettings } from "./settings.ts";

/** Names a secret by its address, so that a changed setting does not send the secret to another address. */
function nameOf({ kind, address }: SecretQuery): string {
	return `${kind} ${address}`;
}

export async function readSecret(secrets: vscode.SecretStorage, query: SecretQuery): Promise<string | null> {
	return (await secrets.get(nameOf(query))) ?? null;
}

export async function secretsInUse(secrets: vscode.SecretStorage) {
	const { uri = "" } = storageSettings();
	const { provider, endpoint = "" } = embeddingSettings();
	const origin = provider === "openai-compatible" ? URL.parse(endpoint)?.origin : undefined;
	const queries: SecretQuery[] = [
		...(uri ? [{ kind: "storage", address: uri } as const] : []),
		...(origin ? [{ kind: "embedding", address: origin } as const] : []),
	];
	const read = async (query: SecretQuery) => ({ ...query, value: await readSecret(secrets, query) });
	const found = await Promise.all(queries.map(read));
	return found.flatMap(({ value, ...query }) => (value ? [{ ...query, value }] : []));
}

/** Prefix of the names of model servers' keys, which the worker cannot request. */
const MODEL = "model ";

export function modelKeyName(origin: string): string {
	return MODEL + origin;
}

/** Whether the worker may have requested the secret of this name. */
export function isOfWorker(name: string): boolean {
	return !name.startsWith(MODEL);
}

/** Returns the values to redact: stored secrets, secret variables of the environment, and names of this machine. */
export async function secretsKnown({ secrets }: vscode.ExtensionContext): Promise<KnownSecrets> {
	const stored = (await secretsInUse(secrets)).flatMap(({ value }) => [value, ...value.split(/[\s=]+/)]);
	const names = (await secrets.keys()).filter((name) => name.startsWith(MODEL));
	const keys = await Promise.all(names.map((name) => secrets.get(name)));
	return secretsKnownHere([...stored, ...keys.filter((key) => key !== undefined)]);
}

export function setEmbeddingKey(secrets: vscode.SecretStorage): Promise<void> {
	const address = URL.parse(embeddingSettings().endpoint ?? "")?.origin;
	return setSecret(secrets, "embedding", address, {
		missing: vscode.l10n.t(
			"First set the address of the endpoint in the setting copilot-LD.embedding.options.endpoint: a key belongs to one address.",
		),
		prompt: vscode.l10n.t("API key for {0}. Leave it empty to delete the key.", address ?? ""),
	});
}

/** Asks for the secret options of the object store, which must not be in settings. */
export function setStorageCredentials(secrets: vscode.SecretStorage): Promise<void> {
	const { uri = "" } = storageSettings();
	return setSecret(secrets, "storage", uri, {
		missing: vscode.l10n.t(
			"First set the address of the index in the setting copilot-LD.storage.uri: credentials belong to one address.",
		),
		prompt: vscode.l10n.t(
			"Credentials for {0} as name=value, separated by spaces, for example access_key_id=… secret_access_key=…. Leave it empty to delete them.",
			uri,
		),
	});
}

async function setSecret(
	secrets: vscode.SecretStorage,
	kind: SecretQuery["kind"],
	address: string | undefined,
	{ missing, prompt }: { readonly missing: string; readonly prompt: string },
): Promise<void> {
	if (!address) throw new Failure("BAD_INPUT", missing);
	const value = await vscode.window.showInputBox({ prompt, password: true, ignoreFocusOut: true });
	if (value === undefined) return;
	const [name, secret] = [nameOf({ kind, address }), value.trim()];
	await (secret === "" ? secrets.delete(name) : secrets.store(name, secret));
}
