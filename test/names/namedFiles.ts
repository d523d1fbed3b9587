import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { namesIn } from "../../src/names/names.ts";
import { renameInFile } from "../../src/worker/parsing/renameInFile.ts";
import { FORMATS, type WrittenAt, writeNamedFile } from "../support/namedFile.ts";
import { createRandom } from "../support/random.ts";

const THINGS = 25;

/** Generates files of all formats up to a number of statements, checks their names, and renames one per file. */
export async function checkNames(folder: string, statements: number, seed: number): Promise<void> {
	const random = createRandom(seed);
	for (let stated = 0, count = 0; stated < statements; count++) {
		const format = FORMATS[count % FORMATS.length] ?? "ttl";
		const file = writeNamedFile(format, THINGS, random);
		const path = join(folder, `${count}.${format}`);
		const [uri, where] = [pathToFileURL(path).href, `seed ${seed}, file ${count}.${format}`];
		const things = namesIn({ uri, text: file.text }).names.filter(({ place }) => !place);
		assert.equal(listed(things), listed(file.names), where);
		writeFileSync(path, file.text);
		const { iri } = random.pick(file.names);
		const other = `https://f.example/other/${format === "md" ? "n" : "né"}-w`;
		const to = random.pick([`${iri}new`, "https://f.example/w#fresh", other]);
		const edits = await renameInFile({ uri, path: where, iri, to });
		const starts = new Set(edits.map(({ start }) => start));
		const missed = file.names.filter((name) => name.iri === iri && !starts.has(name.start));
		assert.equal(listed(missed), "", `${where}: <${iri}> to <${to}>`);
		stated += file.statements;
	}
}

function listed(names: readonly WrittenAt[]): string {
	return names.map(({ iri, start, end }) => `${start}-${end} ${iri}`).join("\n");
}
