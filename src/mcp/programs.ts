import { readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";

export interface Programs {
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
