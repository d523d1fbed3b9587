import { SECRET_VARIABLES } from "../core/knowledge/secretVariables.ts";
import type { SecretQuery } from "../protocol/worker.ts";

/** The secrets of this program: variables, for the addresses on its command line. */
export interface Secrets {
	find(query: SecretQuery): string | undefined;
	/** The environment without them, for processes that have to ask. */
	readonly others: NodeJS.ProcessEnv;
}

export function readSecrets(env: NodeJS.ProcessEnv): Secrets {
	const names: readonly string[] = Object.values(SECRET_VARIABLES);
	return {
		find: ({ kind }) => secretIn(env[SECRET_VARIABLES[kind]]),
		others: Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name))),
	};
}

/** A client that does not know of variables hands on their names: `${NAME}`. */
function secretIn(text = ""): string | undefined {
	return text === "" || /^\$\{.*\}$/.test(text) ? undefined : text;
}
