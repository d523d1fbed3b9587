import { readFileSync } from "node:fs";
import { join } from "node:path";
import { differenceOf } from "./graph.ts";
import { parseFile } from "./parseFile.ts";
import { readPage } from "./readPage.ts";
import type { Suite } from "./suite.ts";

/** The tests of RDFa 1.1 in HTML5, compared with the graph next to each test. */
export const rdfaSuite: Suite = {
	name: "RDFa HTML5",
	bar: 169,
	async readTests(suites) {
		const folder = join(suites, "rdfa");
		const { "@graph": tests }: Manifest = JSON.parse(readFileSync(join(folder, "manifest.jsonld"), "utf8"));
		return tests
			.filter(
				({ hostLanguages, versions }) => hostLanguages.includes("html5") && versions.includes("rdfa1.1"),
			)
			.map(({ num }) => ({ name: num, run: () => judge(folder, num) }));
	},
};

interface Manifest {
	readonly "@graph": readonly {
		readonly num: string;
		readonly hostLanguages: readonly string[];
		readonly versions: readonly string[];
	}[];
}

async function judge(folder: string, name: string): Promise<string | undefined> {
	const file = (ending: string) => ({
		path: join(folder, "html5", `${name}.${ending}`),
		uri: `http://rdfa.info/test-suite/test-cases/rdfa1.1/html5/${name}.${ending}`,
	});
	const [found, expected] = [await readPage(file("html")), await parseFile(file("ttl"))];
	return differenceOf(found.quads, expected.quads);
}
