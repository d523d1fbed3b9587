import { homedir, hostname, userInfo } from "node:os";
import { isSecretName, type KnownSecrets } from "../text/redact.ts";

/** Secrets and names that the machine and the environment have, and those that are given. */
export function secretsKnownHere(values: readonly string[]): KnownSecrets {
	const variables = Object.entries(process.env)
		.filter(([name]) => isSecretName(name.toLowerCase()))
		.map(([, value = ""]) => value);
	return { values: [...values, ...variables], homes: [homedir()], names: [...userNames(), hostname()] };
}

/** In a container, a user may have a number and no name. */
export function userNames(): string[] {
	try {
		return [userInfo().username];
	} catch {
		return [];
	}
}
