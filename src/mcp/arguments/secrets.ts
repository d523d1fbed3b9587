import { SECRET_VARIABLES } from "../../core/knowledge/secretVariables.ts";
import type { SecretQuery } from "../../protocol/worker.ts";

/** Secrets come from environment variables and belong to the addresses on the command line. */
export type Secrets = ReturnType<typeof readSecrets>;

export function readSecrets(env: NodeJS.ProcessEnv) {
	const names: readonly string[] = Object.values(SECRET_VARIABLES);
	return {
		find: ({ kind }: SecretQuery) => secretIn(env[SECRET_VARIABLES[kind]]),
		values: names.map((name) => env[name] ?? "").flatMap((value) => [value, ...value.split(/[\s=]+/)]),
		/** Key of the server whose model answers and judges tests. */
		modelKey: secretIn(env[SECRET_VARIABLES.model]),
		/** The environment without them, for processes that have to ask. */
		others: Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name))),
	};
}

/** A client that does not expand variables passes their names on: `${NAME}`. */
function secretIn(text = ""): string | undefined {
	return text === "" || /^\$\{.*\}$/.test(text) ? undefined : text;
}
