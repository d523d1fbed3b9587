import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Problem } from "../../src/core/knowledge/document.ts";
import { readJsonLd } from "../../src/knowledge/rdf/jsonLd/jsonLd.ts";
import { readLocatedJson } from "../../src/knowledge/rdf/jsonLd/locatedJson.ts";
import { differenceOf } from "./graph.ts";
import type { SuiteFile } from "./manifest.ts";
import { errorsIn, parseFile } from "./parseFile.ts";
import type { Suite } from "./suite.ts";

const BASE = "https://w3c.github.io/json-ld-api/tests/";

/** The tests of JSON-LD 1.1 to RDF, without those for JSON-LD 1.0 only and for generalized RDF. */
export const jsonLdSuite: Suite = {
	name: "JSON-LD",
	bar: 444,
	misfits: {
		"#tc037": "the library does not apply the context of a term that stands for @nest",
		"#tc038": "the library does not apply the context of a term that stands for @nest",
		...Object.fromEntries(
			["#tdi09", "#tdi10", "#tdi11", "#tdi12"].map((name) => [
				name,
				"we do not keep the direction of a text",
			]),
		),
		"#ter56": "the suite's file is missing",
	},
	async readTests(suites) {
		const folder = join(suites, "json-ld", "tests");
		const contexts = readContexts(folder);
		return readJsonLdManifest(folder, "toRdf-manifest.jsonld")
			.filter(({ option = {} }) => option.specVersion !== "json-ld-1.0" && !option.produceGeneralizedRdf)
			.map((entry) => ({ name: entry["@id"], run: () => judge(entry, folder, contexts) }));
	},
};

export interface JsonLdEntry {
	readonly "@id": string;
	readonly "@type": readonly string[];
	readonly input: string;
	readonly expect?: string;
	readonly expectErrorCode?: string;
	readonly option?: {
		readonly base?: string;
		readonly specVersion?: string;
		readonly processingMode?: string;
		readonly expandContext?: string;
		readonly extractAllScripts?: boolean;
		readonly produceGeneralizedRdf?: boolean;
	};
}

export function readJsonLdManifest(folder: string, name: string): JsonLdEntry[] {
	return JSON.parse(readFileSync(join(folder, name), "utf8")).sequence;
}

export function toFile(folder: string, path: string): SuiteFile {
	return { path: join(folder, path), uri: `${BASE}${path}` };
}

async function judge(entry: JsonLdEntry, folder: string, contexts: ReadonlyMap<string, unknown>) {
	const { path, uri } = toFile(folder, entry.input);
	const { base = uri, processingMode, expandContext } = entry.option ?? {};
	const processor = {
		...(processingMode && { processingMode }),
		...(expandContext && { expandContext: contexts.get(toFile(folder, expandContext).uri) }),
	};
	const { quads, problems } = await readJsonLd(readFileSync(path, "utf8"), { base, contexts, processor });
	const [error] = errorsIn(problems);
	if (entry.expectErrorCode)
		return isReported(entry.expectErrorCode, problems)
			? undefined
			: `no error was found, expected ${entry.expectErrorCode}`;
	if (error) return `error: ${error}`;
	return entry.expect && differenceOf(quads, (await parseFile(toFile(folder, entry.expect))).quads);
}

/** Whether an error is reported. A missing context is only a warning: the document is read without it. */
function isReported(code: string, problems: readonly Problem[]): boolean {
	return errorsIn(problems).length > 0 || (code === "loading remote context failed" && problems.length > 0);
}

/** Contexts by address, read from the suite's own files. */
function readContexts(folder: string): ReadonlyMap<string, unknown> {
	const contexts = new Map<string, unknown>();
	for (const path of globSync("toRdf/**/*.jsonld", { cwd: folder })) {
		const file = toFile(folder, path);
		const { value } = readLocatedJson(readFileSync(file.path, "utf8"));
		contexts.set(file.uri, value);
	}
	return contexts;
}
