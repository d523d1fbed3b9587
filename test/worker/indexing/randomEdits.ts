import type { createDice } from "../../support/random.ts";
import type { Workspace } from "../workspace.ts";

export type Dice = ReturnType<typeof createDice>;
const FOLDERS = ["", "docs/", "docs/deep/", "notes/", "a b#c/"];
const WORDS = ["lamp", "oil", "storm", "keeper", "harbour", "fog", "bell", "rope", "tide", "signal"];

const contents: Readonly<Record<string, (words: string, id: number) => string | Uint8Array>> = {
	md: (words, id) =>
		`---\ntitle: Note ${id}\n---\n# ${words}\n\nAbout ${words}.\n\n## Part ${id}\n\n${words} again.\n`,
	txt: (words) => `${words}\n\n${words} ${words}\n`,
	ts: (words, id) => `/** ${words} */\nexport function part${id}() {\n\treturn "${words}";\n}\n`,
	html: (words, id) =>
		`<title>${words}</title>\n<div itemscope itemtype="https://schema.org/Thing" itemid="https://example.org/${id}">\n<b itemprop="name">${words}</b>\n<i itemprop="about" itemscope><u itemprop="name">inner ${words}</u></i></div>\n`,
	png: () => new Uint8Array([137, 80, 78, 71, 0]),
	gitignore: (_words, id) => `*.${["txt", "tmp", "ts"][id % 3]}\n`,
};

/** Does one thing to the files; resolves to the names that an editor would report. */
type Edit = (workspace: Workspace, dice: Dice) => Promise<string[]>;

const write: Edit = async (workspace, dice) => {
	const kind = pick(Object.keys(contents), dice) ?? "";
	const name = `${pick(FOLDERS, dice)}${kind === "gitignore" ? ".gitignore" : `f${dice(6)}.${kind}`}`;
	const words = [1, 2, 3].map(() => pick(WORDS, dice)).join(" ");
	await workspace.write({ [name]: contents[kind]?.(words, dice(4)) ?? "" });
	return [name];
};

const remove =
	(choices: (workspace: Workspace) => Promise<string[]>): Edit =>
	async (workspace, dice) => {
		const name = pick(await choices(workspace), dice);
		if (name !== undefined) await workspace.remove(name);
		return name === undefined ? [] : [name];
	};

const move =
	(
		choices: (workspace: Workspace) => Promise<string[]>,
		targetOf: (name: string, dice: Dice) => string,
	): Edit =>
	async (workspace, dice) => {
		const name = pick(await choices(workspace), dice);
		if (name === undefined) return [];
		const target = targetOf(name, dice);
		await workspace.move(name, target);
		return [name, target];
	};

const filesOf = (workspace: Workspace) => workspace.list();
const moveFile = move(
	filesOf,
	(name, dice) => `${pick(FOLDERS, dice)}moved${dice(9)}.${name.split(".").at(-1)}`,
);
const moveFolder = move(foldersOf, (_name, dice) => `renamed${dice(1_000_000)}`);
const edits = [write, write, write, write, remove(filesOf), moveFile, remove(foldersOf), moveFolder];

export async function editAtRandom(workspace: Workspace, dice: Dice): Promise<string[]> {
	const edit = pick(edits, dice) ?? write;
	return edit(workspace, dice);
}

async function foldersOf(workspace: Workspace): Promise<string[]> {
	const names = await workspace.list();
	return [...new Set(names.filter((name) => name.includes("/")).map((name) => name.replace(/\/[^/]*$/, "")))];
}

function pick<Item>(items: readonly Item[], dice: Dice): Item | undefined {
	return items[dice(Math.max(1, items.length))];
}
