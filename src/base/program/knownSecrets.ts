import { homedir, hostname, userInfo } from "node:os";
import { isSecretName, type KnownSecrets } from "../text/redact.ts";

/** Secrets and names found on this machine and in the environment, plus the values given. */
export function secretsKnownHere(values: readonly string[]): KnownSecrets {
	const variables = Object.entries(process.env)
		.filter(([name]) => isSecretName(name.toLowerCase()))
		.map(([, value = ""]) => value);
	return { values: [...values, ...variables], homes: [homedir()], names: [...userNames(), hostname()] };
}

/** Names of the current user; empty in a container where the user has only a number. */
export function userNames(): string[] {
	try {
		return [userInfo().username];
	} catch {
		return [];
	}
}
