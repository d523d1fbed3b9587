import { SECRET_VARIABLES } from "../../core/knowledge/secretVariables.ts";
import type { SecretQuery } from "../../protocol/worker.ts";

/** Secrets come from environment variables and belong to the addresses on the command line. */
export interface Secrets {
	find(query: SecretQuery): string | undefined;
	/** Of the server whose model answers, and judges tests. */
	readonly modelKey: string | undefined;
	/** The environment without them, for processes that have to ask. */
	readonly others: NodeJS.ProcessEnv;
}

export function readSecrets(env: NodeJS.ProcessEnv): Secrets {
	const names: readonly string[] = Object.values(SECRET_VARIABLES);
	return {
		find: ({ kind }) => secretIn(env[SECRET_VARIABLES[kind]]),
		modelKey: secretIn(env[SECRET_VARIABLES.model]),
		others: Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name))),
	};
}

/** A client that does not expand variables passes their names on: `${NAME}`. */
function secretIn(text = ""): string | undefined {
	return text === "" || /^\$\{.*\}$/.test(text) ? undefined : text;
}
