import { readFileSync } from "node:fs";
import type { Problem } from "../../src/core/knowledge/document.ts";
import type { Quad } from "../../src/core/knowledge/rdf.ts";
import { formatFor } from "../../src/knowledge/formats.ts";
import type { SuiteFile } from "./manifest.ts";

export interface Parsed {
	readonly quads: readonly Quad[];
	/** Error messages. */
	readonly errors: readonly string[];
}

/**
 * Reads a file as the indexer does, but without its check for binary files, because some tests contain the zero
 * characters that the check looks for.
 */
export async function parseFile({ path, uri }: SuiteFile): Promise<Parsed> {
	const { quads = [], problems = [] } = (await parse(uri, readFileSync(path, "utf8"))) ?? {};
	return { quads, errors: errorsIn(problems) };
}

export function errorsIn(problems: readonly Problem[]): string[] {
	return problems.filter(({ severity }) => severity === "error").map(({ message }) => message);
}

function parse(uri: string, text: string) {
	const format = formatFor(uri);
	return format && "parse" in format ? format.parse({ uri, text }) : undefined;
}
