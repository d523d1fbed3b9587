import { readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { SECRET_VARIABLES } from "../../core/knowledge/secretVariables.ts";
import type { McpArguments, SecretQuery, WorkerOptions } from "../../protocol/worker.ts";

export interface McpRun {
	readonly programs: ReturnType<typeof findPrograms>;
	readonly args: McpArguments;
	readonly options: WorkerOptions;
	readonly secrets: ReturnType<typeof readSecrets>;
	readonly paths: readonly string[];
	readonly workspace: string;
}

/** Finds our programs, as bundles next to `program`, or as sources if `program` is a source. */
export function findPrograms(program: string) {
	const isSource = extname(program) === ".ts";
	const here = dirname(program);
	const root = join(here, isSource ? "../.." : "..");
	const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
	return {
		worker: join(here, isSource ? "../worker/main.ts" : "worker.cjs"),
		modelFolder: join(root, "media/model"),
		version,
	};
}

export function readSecrets(env: NodeJS.ProcessEnv) {
	const names: readonly string[] = Object.values(SECRET_VARIABLES);
	return {
		find: ({ kind }: SecretQuery) => secretIn(env[SECRET_VARIABLES[kind]]),
		values: names.map((name) => env[name] ?? "").flatMap((value) => [value, ...value.split(/[\s=]+/)]),
		modelKey: secretIn(env[SECRET_VARIABLES.model]),
		/** The environment without our secrets, for processes that must request them. */
		others: Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name))),
	};
}

/** The secret; `undefined` for `${NAME}`, which clients pass if they do not expand variables. */
function secretIn(text = ""): string | undefined {
	return text === "" || /^\$\{.*\}$/.test(text) ? undefined : text;
}

/** Prints a message to stderr, because stdout is reserved for the protocol. */
export function tell(message: string): void {
	process.stderr.write(`${message}\n`);
}
