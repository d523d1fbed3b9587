import { join } from "node:path";
import { differenceOf } from "./graph.ts";
import { type ManifestEntry, readManifest } from "./manifest.ts";
import { parseFile } from "./parseFile.ts";
import type { Suite } from "./suite.ts";

/** The suites of RDF 1.1, which have the same format. */
export const rdfSuites: readonly Suite[] = [
	createSuite("Turtle", "rdf-turtle", 313),
	createSuite("TriG", "rdf-trig", 356),
	createSuite("N-Triples", "rdf-n-triples", 70),
	createSuite("N-Quads", "rdf-n-quads", 87),
	createSuite("RDF/XML", "rdf-xml", 166),
];

function createSuite(name: string, folder: string, bar: number): Suite {
	return {
		name,
		bar,
		async readTests(suites) {
			const manifest = join(suites, "rdf11", folder, "manifest.ttl");
			const entries = readManifest(manifest, `https://w3c.github.io/rdf-tests/rdf/rdf11/${folder}/`);
			return entries.map((entry) => ({ name: entry.name, run: () => judge(entry) }));
		},
	};
}

async function judge({ kind, action, result }: ManifestEntry): Promise<string | undefined> {
	const { quads, errors } = await parseFile(action);
	if (kind.includes("Negative")) return errors.length > 0 ? undefined : "no error was found";
	if (errors.length > 0) return `error: ${errors[0]}`;
	return result && differenceOf(quads, (await parseFile(result)).quads);
}
