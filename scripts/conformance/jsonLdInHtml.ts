import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LineRange } from "../../src/core/source.ts";
import { isJsonLd } from "../../src/knowledge/html/jsonLdScripts.ts";
import { readHtml } from "../../src/knowledge/html/readHtml.ts";
import { type Tag, walkHtml } from "../../src/knowledge/html/walkHtml.ts";
import { differenceOf } from "./graph.ts";
import { type JsonLdEntry, readJsonLdManifest, toFile } from "./jsonLd.ts";
import { errorsIn, type Parsed, parseFile } from "./parseFile.ts";
import type { Suite } from "./suite.ts";

/** The tests of JSON-LD in HTML to RDF. The one that wants the first script alone cannot pass: we read all. */
export const jsonLdInHtmlSuite: Suite = {
	name: "JSON-LD in HTML",
	bar: 19,
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

/** An address with a fragment asks for what one script says: the statements on its lines. */
async function readPage({ input, option }: JsonLdEntry, folder: string): Promise<Parsed> {
	const [page = "", id] = input.split("#");
	const { path, uri } = toFile(folder, page);
	const text = readFileSync(path, "utf8");
	const { quads, problems } = await readHtml({ uri: option?.base ?? uri, text });
	if (id === undefined) return { quads, errors: errorsIn(problems) };
	const tag = findTag(text, id);
	if (!tag || !isJsonLd(tag)) return { quads: [], errors: [`there is no script with the id ${id}`] };
	return { quads: quads.filter(({ lines }) => isWithin(lines, tag.element)), errors: errorsIn(problems) };
}

function findTag(text: string, id: string): Tag | undefined {
	let found: Tag | undefined;
	walkHtml(text, {
		open(tag) {
			if (tag.attributes["id"] === id) found = tag;
		},
		text: () => undefined,
		close: () => undefined,
	});
	return found;
}

function isWithin(inner: LineRange, outer: LineRange): boolean {
	return inner.start >= outer.start && inner.end <= outer.end;
}
