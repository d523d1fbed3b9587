import type * as vscode from "vscode";
import { secretsKnownHere } from "../base/program/knownSecrets.ts";
import type { KnownSecrets } from "../base/text/redact.ts";
import { modelKeys, secretsInUse } from "./secrets.ts";

export async function secretsKnown({ secrets }: vscode.ExtensionContext): Promise<KnownSecrets> {
	const stored = (await secretsInUse(secrets)).flatMap(({ value }) => [value, ...value.split(/[\s=]+/)]);
	return secretsKnownHere([...stored, ...(await modelKeys(secrets))]);
}
