import { join } from "node:path";
import { differenceOf } from "./graph.ts";
import { type ManifestEntry, readManifest } from "./manifest.ts";
import { parseFile } from "./parseFile.ts";
import { readPage } from "./readPage.ts";
import type { Suite } from "./suite.ts";

export const microdataSuite: Suite = {
	name: "Microdata",
	bar: 82,
	misfits: { sdo_eg_md_11: "it expects http: for the base of a suite that is published under https:" },
	async readTests(suites) {
		const manifest = join(suites, "microdata", "tests", "manifest.ttl");
		const entries = readManifest(manifest, "https://w3c.github.io/microdata-rdf/tests/");
		return entries.map((entry) => ({ name: entry.name, run: () => judge(entry) }));
	},
};

async function judge({ kind, action, result }: ManifestEntry): Promise<string | undefined> {
	const { quads, errors } = await readPage(action);
	if (kind.includes("Negative")) return errors.length > 0 ? undefined : "no error was found";
	return result && differenceOf(quads, (await parseFile(result)).quads);
}
