import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonLd, readHtml } from "../../src/knowledge/html/readHtml.ts";
import { walkHtml } from "../../src/knowledge/readable/walkHtml.ts";
import { differenceOf } from "./graph.ts";
import { type JsonLdEntry, readJsonLdManifest, toFile } from "./jsonLd.ts";
import { errorsIn, type Parsed, parseFile } from "./parseFile.ts";
import type { Suite } from "./suite.ts";

/** The tests of JSON-LD in HTML to RDF. */
export const jsonLdInHtmlSuite: Suite = {
	name: "JSON-LD in HTML",
	bar: 19,
	misfits: { "#tr002": "it wants the first script alone; we read all" },
	async readTests(suites) {
		const folder = join(suites, "json-ld", "tests");
		return readJsonLdManifest(folder, "html-manifest.jsonld")
			.filter((entry) => entry["@type"].includes("jld:ToRDFTest"))
			.map((entry) => ({ name: entry["@id"], run: () => judge(entry, folder) }));
	},
};

async function judge(entry: JsonLdEntry, folder: string): Promise<string | undefined> {
	const { quads, errors } = await readPage(entry, folder);
	const [error] = errors;
	if (entry.expectErrorCode)
		return error ? undefined : `no error was found, expected ${entry.expectErrorCode}`;
	if (error) return `error: ${error}`;
	return entry.expect && differenceOf(quads, (await parseFile(toFile(folder, entry.expect))).quads);
}

/** Reads a page. A fragment in the address selects one script: the others are removed. */
async function readPage({ input, option }: JsonLdEntry, folder: string): Promise<Parsed> {
	const [page = "", id] = input.split("#");
	const { path, uri } = toFile(folder, page);
	const text = readFileSync(path, "utf8");
	const scripts = scriptsIn(text);
	if (id !== undefined && !scripts.some((script) => script.id === id)) {
		return { quads: [], errors: [`there is no script with the id ${id}`] };
	}
	const others = id === undefined ? [] : scripts.filter((script) => script.id !== id);
	const reduced = others.reduce((rest, { element }) => rest.replace(element, ""), text);
	const { quads, problems } = await readHtml({ uri: option?.base ?? uri, text: reduced });
	return { quads, errors: errorsIn(problems) };
}

/** The JSON-LD scripts: their ids, and their elements with both tags. */
function scriptsIn(text: string): { readonly id: string | undefined; readonly element: string }[] {
	const scripts: { id: string | undefined; element: string }[] = [];
	walkHtml(text, {
		open: () => undefined,
		text: () => undefined,
		close(tag, contentEnd) {
			if (!isJsonLd(tag)) return;
			const start = text.lastIndexOf("<script", tag.contentStart);
			const end = text.indexOf(">", contentEnd) + 1;
			scripts.push({ id: tag.attributes["id"], element: text.slice(start, end) });
		},
	});
	return scripts;
}
