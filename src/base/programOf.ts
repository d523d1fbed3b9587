import { dirname, extname, join } from "node:path";

/** Absolute path of one of our programs: its bundle beside the running one, or its source if not bundled. */
export function programOf(name: string, source: string): string {
	const here = process.argv[1] ?? "";
	return join(dirname(here), extname(here) === ".ts" ? source : `${name}.cjs`);
}
