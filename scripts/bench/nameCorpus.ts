import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createCorpus } from "./corpus.ts";

/** Number of Turtle files, with 20 things of five statements each. */
export const NAME_FILES = 2000;
const THINGS = 20;
export const STATEMENTS = NAME_FILES * THINGS * 5;

/** Number of files that name the thing to be renamed. */
export const HUB_FILES = 1000;

const ID = "https://bench.example/id/";

export const HUB = `${ID}hub`;

export function idOf(thing: number): string {
	return `${ID}${thing}`;
}

/** Writes the files, and returns the labels of their things. */
export async function writeNames(folder: string): Promise<string[]> {
	const labels = createCorpus()
		.questions(NAME_FILES * THINGS)
		.map((words) => words.split(" ").slice(0, 3).join(" "));
	for (let file = 0; file < NAME_FILES; file++) {
		const path = join(folder, String(Math.floor(file / 100)));
		await mkdir(path, { recursive: true });
		await writeFile(join(path, `${file}.ttl`), textOf(file, labels));
	}
	return labels;
}

export function textOf(file: number, labels: readonly string[]): string {
	const things = Array.from({ length: THINGS }, (_, at) => {
		const thing = file * THINGS + at;
		const near = (thing * 7919) % (NAME_FILES * THINGS);
		const isBesideHub = file < HUB_FILES && at === 0;
		return `id:${thing} a v:Class${thing % 20} ;
	schema:name "${labels[thing]}" ;
	v:near id:${near} ;
	v:partOf id:${isBesideHub ? "hub" : thing % 130} ;
	v:size ${thing} .
`;
	});
	return `@prefix id: <${ID}> .
@prefix v: <https://bench.example/v#> .
@prefix schema: <https://schema.org/> .
${things.join("")}`;
}
