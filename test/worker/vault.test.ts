import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../support/random.ts";
import { times } from "../support/times.ts";
import { NO_RULES, openPolicy } from "./policy/openPolicy.ts";
import { never } from "./workerProcess.ts";

const DOOR = { door: "chat" } as const;
const NOTES = 5000;
const FOLDERS = 40;

/** A vault with what its notes say: who links to whom and to which heading or block, and who has which tag. */
function makeVault(seed: number) {
	const random = createRandom(seed);
	const folders = times(FOLDERS, (at) => `f${at % 7}/${at % 3 ? `g${at % 5}/` : ""}h${at}`);
	const paths = times(NOTES, (at) => `${random.pick(folders)}/Note ${at}.md`);
	const linking = new Map<number, Set<number>>();
	const tagged = new Map<string, Set<number>>();
	const note = (key: Map<unknown, Set<number>>, value: unknown, by: number) =>
		key.set(value, (key.get(value) ?? new Set()).add(by));
	const linkTo = (target: number) =>
		random.pick([
			`[[Note ${target}]]`,
			`[[note ${target}|words]]`,
			`![[${paths[target]?.replace(".md", "")}]]`,
			`[[alias ${target}]]`,
			`[[Note ${target}#Part two]]`,
			`[x](Note%20${target}.md#part-two)`,
			`[[Note ${target}#^b${target}]]`,
			`[[Alias ${target}#Part TWO|x]]`,
		]);
	const files = paths.map((path, at) => {
		// Every tenth link leads to one of few notes.
		const targets = times(random.below(6), () => random.below(random.below(10) === 0 ? 4 : NOTES));
		for (const target of targets) if (target !== at) note(linking, target, at);
		const tag = `t${random.below(10)}${random.below(2) ? `/u${random.below(10)}` : ""}`;
		for (const each of new Set([tag, tag.split("/")[0] ?? ""])) note(tagged, each, at);
		const text = `---\naliases: [Alias ${at}]\n---\n# Title ${at}\n\nWords. ^b${at}\n\n## Part two\n\n${targets.map(linkTo).join(" and\n")}\n\n#${tag}\n`;
		return [path, text] as const;
	});
	return { paths, linking, tagged, files: Object.fromEntries(files), random };
}

test("in a vault of 5,000 notes, links, backlinks, tags and renames are exactly those of its notes", async (t) => {
	const { paths, linking, tagged, files, random } = makeVault(Number(process.env["COPILOT_LD_SEED"] ?? 1));
	const { things, workspace, rename } = await openPolicy(t, NO_RULES, files);
	const uriOf = (at: number) => workspace.uri(paths[at] ?? "");
	const pointing = async (iri: string) =>
		(await things.pointers({ iri, ...DOOR }, never)).map(({ uri }) => uri).sort();
	const urisOf = (notes: Iterable<number> = []) => [...notes].map(uriOf).sort();
	for (const at of [0, 1, 2, ...times(200, () => random.below(NOTES))]) {
		const backlinks = (await pointing(uriOf(at))).filter((uri) => uri !== uriOf(at));
		assert.deepEqual(backlinks, urisOf(linking.get(at)), paths[at]);
	}
	for (const [tag, notes] of tagged)
		assert.deepEqual(await pointing(`urn:copilot-ld:tag:${tag}`), urisOf(notes), tag);
	const [found] = await things.find({ words: "alias 4321", limit: 3, ...DOOR }, never);
	assert.deepEqual([found?.id, found?.label, found?.alias], [uriOf(4321), "Title 4321", "Alias 4321"]);

	const renamed = async (iri: string, to: string, change: (text: string) => string) => {
		const { texts, notice } = await rename(iri, to);
		const wanted = Object.entries(files).map(([path, text]) => [path, change(text)] as const);
		const changed = wanted.filter(([path, text]) => text !== files[path]);
		assert.deepEqual([texts, notice], [Object.fromEntries(changed), undefined]);
		return changed.length;
	};
	const toNote = uriOf(1).replace("Note%201.md", "Other%20name.md");
	const count = await renamed(uriOf(1), toNote, (text) =>
		text
			.replace(/\[\[((?:f\d\/\S+\/)?)note 1(?=[\]|#])/gi, "[[$1Other name")
			.replaceAll("(Note%201.md#", "(Other%20name.md#"),
	);
	assert.ok(count > 100);
	await renamed(`${uriOf(2)}#Part%20two`, `${uriOf(2)}#Last%20part`, (text) =>
		text
			.replace(/\[\[(note|alias) 2#part two/gi, "[[$1 2#Last part")
			.replaceAll("(Note%202.md#part-two", "(Note%202.md#last-part")
			.replace(/(# Title 2\n[\s\S]*## )Part two/, "$1Last part"),
	);
});
