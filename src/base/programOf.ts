import { dirname, extname, join } from "node:path";

/** Absolute path of one of our programs: a bundle in the running bundle's folder, or `source` if not bundled. */
export function programOf(name: string, source: string): string {
	const here = process.argv[1] ?? "";
	return join(dirname(here), extname(here) === ".ts" ? source : `${name}.cjs`);
}
