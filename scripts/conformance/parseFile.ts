import { readFileSync } from "node:fs";
import type { Problem } from "../../src/core/knowledge/document.ts";
import type { Quad } from "../../src/core/knowledge/rdf.ts";
import { formatFor } from "../../src/knowledge/formats.ts";
import type { SuiteFile } from "./manifest.ts";

export interface Parsed {
	readonly quads: readonly Quad[];
	/** Messages. */
	readonly errors: readonly string[];
}

/**
 * Reads a file as the indexer does, once it has its text: some tests hold zero characters, by which the indexer tells
 * binary files.
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
