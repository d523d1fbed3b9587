import { readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { SECRET_VARIABLES } from "../../core/knowledge/secretVariables.ts";
import type { McpArguments, SecretQuery, WorkerOptions } from "../../protocol/worker.ts";

export interface McpRun {
	readonly programs: ReturnType<typeof findPrograms>;
	readonly args: McpArguments;
	readonly options: WorkerOptions;
	readonly secrets: ReturnType<typeof readSecrets>;
	/** Absolute paths of the folders whose files are the knowledge. */
	readonly paths: readonly string[];
	/** URI of the first folder. */
	readonly workspace: string;
}

/** Paths of our programs: next to this one if bundled, else of their sources. All paths are absolute. */
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

/** Secrets come from environment variables and belong to the addresses on the command line. */
export function readSecrets(env: NodeJS.ProcessEnv) {
	const names: readonly string[] = Object.values(SECRET_VARIABLES);
	return {
		find: ({ kind }: SecretQuery) => secretIn(env[SECRET_VARIABLES[kind]]),
		values: names.map((name) => env[name] ?? "").flatMap((value) => [value, ...value.split(/[\s=]+/)]),
		modelKey: secretIn(env[SECRET_VARIABLES.model]),
		/** The environment without them, for processes that have to ask. */
		others: Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name))),
	};
}

/** A client that does not expand variables passes their names on: `${NAME}`. */
function secretIn(text = ""): string | undefined {
	return text === "" || /^\$\{.*\}$/.test(text) ? undefined : text;
}

/** Only protocol goes to stdout. */
export function tell(message: string): void {
	process.stderr.write(`${message}\n`);
}
