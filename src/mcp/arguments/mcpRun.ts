import { readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import type { McpArguments, WorkerOptions } from "../../protocol/worker.ts";
import type { Secrets } from "./secrets.ts";

export interface McpRun {
	readonly programs: Programs;
	readonly args: McpArguments;
	/** The worker's options, made of the arguments. */
	readonly options: WorkerOptions;
	readonly secrets: Secrets;
	/** Absolute paths of the folders whose files are the knowledge. */
	readonly paths: readonly string[];
	/** URI of the first folder. */
	readonly workspace: string;
}

interface Programs {
	/** Absolute path of the worker's program. */
	readonly worker: string;
	readonly modelFolder: string;
	readonly version: string;
}

/** Paths of our programs: next to this one if bundled, else of their sources. `program` is its absolute path. */
export function findPrograms(program: string): Programs {
	const isSource = extname(program) === ".ts";
	const here = dirname(program);
	const root = join(here, isSource ? "../.." : "..");
	const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
	return {
		worker: join(here, isSource ? "../worker/main.ts" : "worker.cjs"),
		modelFolder: join(root, "media/model"),
		version,
	};
}

/** Only protocol goes to stdout. */
export function tell(message: string): void {
	process.stderr.write(`${message}\n`);
}
