import { readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import type { McpArguments, WorkerOptions } from "../../protocol/worker.ts";
import type { Secrets } from "./secrets.ts";

export interface McpRun {
	readonly programs: ReturnType<typeof findPrograms>;
	readonly args: McpArguments;
	/** The worker's options, made of the arguments. */
	readonly options: WorkerOptions;
	readonly secrets: Secrets;
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

/** Only protocol goes to stdout. */
export function tell(message: string): void {
	process.stderr.write(`${message}\n`);
}
