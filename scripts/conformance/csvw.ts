import { existsSync } from "node:fs";
import { join } from "node:path";
import { SCHEMA } from "../../src/base/rdf/vocabulary.ts";
import { literal, namedNode, type Quad } from "../../src/core/knowledge/rdf.ts";
import { quadKey } from "../../src/knowledge/rdf/rdfDocument.ts";
import { type ManifestEntry, readManifest } from "./manifest.ts";
import { parseFile } from "./parseFile.ts";
import type { Suite } from "./suite.ts";

const CSVW = "http://www.w3.org/ns/csvw#";
const BASE = "http://www.w3.org/2013/csvw/tests/";

/** Tests of tables without metadata. */
const WITHOUT_METADATA = ["001", "005", "006", "007", "008", "009", "010", "028", "029"].map(
	(number) => `test${number}`,
);

/** CSV on the Web in minimal mode. Compares the cells of each row, ignoring the row's name. */
export const csvwSuite: Suite = {
	name: "CSV on the Web, minimal",
	bar: 9,
	isAbsent: (suites) => !existsSync(manifestIn(suites)),
	async readTests(suites) {
		const entries = readManifest(manifestIn(suites), BASE).filter(({ name }) =>
			WITHOUT_METADATA.includes(name),
		);
		return entries.map((entry) => ({ name: entry.name, run: () => judge(entry) }));
	},
};

function manifestIn(suites: string): string {
	return join(suites, "csvw", "tests", "manifest-rdf.ttl");
}

async function judge({ action, result }: ManifestEntry): Promise<string | undefined> {
	const found = rowsOf((await parseFile(action)).quads);
	const expected = result ? rowsOf((await parseFile(result)).quads) : [];
	const missing = expected.filter((row) => !found.includes(row));
	const extra = found.filter((row) => !expected.includes(row));
	if (missing.length + extra.length === 0) return undefined;
	return `${missing.length} rows missing, such as ${missing[0]}; ${extra.length} not expected, such as ${extra[0]}`;
}

/** The cells of each subject as one text, since the suite has other names for rows, and no datatypes. */
function rowsOf(quads: readonly Quad[]): string[] {
	const cells = quads.filter(
		({ predicate: { value } }) =>
			!value.startsWith(CSVW) && !value.startsWith(SCHEMA) && !value.endsWith("#type"),
	);
	const rows = Map.groupBy(cells, ({ subject }) => subject.value);
	return [...rows.values()].map((row) => row.map(textOf).sort().join("\n"));
}

function textOf({ predicate, object, lines }: Quad): string {
	return quadKey({ subject: namedNode("row:"), predicate, object: literal(object.value), lines });
}
