import { homedir, hostname, userInfo } from "node:os";
import type * as vscode from "vscode";
import { isSecretName, type KnownSecrets } from "../base/text/redact.ts";
import { modelKeys, secretsInUse } from "./secrets.ts";

export async function secretsKnown({ secrets }: vscode.ExtensionContext): Promise<KnownSecrets> {
	const stored = (await secretsInUse(secrets)).flatMap(({ value }) => [value, ...value.split(/[\s=]+/)]);
	const variables = Object.entries(process.env)
		.filter(([name]) => isSecretName(name.toLowerCase()))
		.map(([, value = ""]) => value);
	return {
		values: [...stored, ...(await modelKeys(secrets)), ...variables],
		homes: [homedir()],
		names: [...userNames(), hostname()],
	};
}

/** In a container, a user may have a number and no name. */
function userNames(): string[] {
	try {
		return [userInfo().username];
	} catch {
		return [];
	}
}
