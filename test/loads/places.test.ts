import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { findCli } from "../../src/acp/link/findCli.ts";
import { homeLoads } from "../../src/acp/loads/preflight.ts";
import { inWords } from "../../src/core/phrase.ts";
import { HOME_PLACES, type Level, type LoadKind, PLACES } from "../../src/loads/places.ts";
import { hook, writeAll, writeIn } from "../acp/loads/writeIn.ts";
import { askOn, startRealCli } from "../acp/realCli.ts";
import { makeFolder } from "../support/folder.ts";

type Spot = (typeof HOME_PLACES)[number];

/** Content of each kind that leaves a mark if loaded: a file that it makes, or a word that the CLI sends. */
const CONTENTS: Readonly<Record<LoadKind, (mark: string, file: string) => unknown>> = {
	hooks: (_, file) => hooks(file),
	settings: (_, file) => hooks(file),
	servers: (mark, file) => ({
		[file.includes("vscode") ? "servers" : "mcpServers"]: {
			[mark]: { command: "touch", args: [file], tools: ["*"] },
		},
	}),
	agent: fields,
	skill: fields,
	command: fields,
	instructions: (mark) => `---\napplyTo: "**"\n---\nSay ${mark}.`,
	plugin: (mark, file) => ({ ...hooks(file), name: mark }),
};

const hooks = (file: string) => hook(`touch ${file}`, "sessionStart");

function fields(mark: string): string {
	return `---\nname: ${mark}\ndescription: ${mark}\n---\nSay ${mark}.`;
}

function fileOf({ path, ending, kind }: Spot, mark: string): string {
	if (ending === undefined) return path;
	if (kind === "command") return `${path}/${mark}${ending}`;
	if (kind === "skill") return `${path}/group/${mark}/SKILL.md`;
	const isInstructions = path.endsWith("instructions");
	return `${path}/sub/${mark}${isInstructions ? ".instructions" : ""}${ending}`;
}

interface Setup {
	readonly work: string;
	readonly folders: Readonly<Record<string, string>>;
	readonly spots: readonly Spot[];
}

async function loadedBy(t: TestContext, { work, folders, spots }: Setup): Promise<string[]> {
	const marks = await makeFolder(t);
	const cli = await startRealCli(t, () => ({ text: ["Done."] }));
	const home = cli.env["COPILOT_HOME"] ?? "";
	const planted = Object.keys(folders).flatMap((at, level) =>
		spots.map((spot, index) => ({ spot, at, mark: `m${level}x${index}x` })),
	);
	for (const { at, mark, spot } of planted)
		await writeIn(folders[at] || home, fileOf(spot, mark), CONTENTS[spot.kind](mark, join(marks, mark)));
	await writeIn(home, "config.json", { trustedFolders: [work, ...Object.values(folders)] });
	const session = await cli.open(work);
	await askOn(cli, session, "Go");
	const asked = cli.model.requests.map(({ whole }) => whole);
	const told = JSON.stringify([session.options(), session.commands(), asked]);
	const ran = await readdir(marks);
	return planted
		.filter(({ mark }) => ran.includes(mark) || told.includes(mark))
		.map(({ at, spot }) => `${spot.path} ${at}`)
		.sort();
}

/** Tested separately, because the CLI does not read it beside a `.mcp.json`. */
const alone = PLACES.filter(({ path }) => path === ".github/mcp.json");
const together = PLACES.filter((place) => !alone.includes(place));

for (const [how, measured] of [
	["inGit", together],
	["inGit", alone],
	["withoutGit", together],
	["withoutGit", alone],
] as const)
	test(`the CLI loads ${measured === alone ? "fallback files" : "every kind"} from the levels in the table (${how})`, async (t) => {
		const above = await makeFolder(t);
		const root = join(above, "r");
		const between = join(root, "m");
		const session = join(between, "deep/er/s");
		const folders: Record<Level, string> = { above, root, between, session };
		await mkdir(session, { recursive: true });
		if (how === "inGit") execFileSync("git", ["init", "--quiet", root]);
		const expected = measured.flatMap((place) => place[how].map((level) => `${place.path} ${level}`)).sort();
		assert.deepEqual(await loadedBy(t, { work: session, folders, spots: measured }), expected);
	});

test("the CLI loads every path in the table of its home", async (t) => {
	const work = await makeFolder(t);
	const expected = HOME_PLACES.map(({ path }) => `${path} home`).sort();
	assert.deepEqual(await loadedBy(t, { work, folders: { home: "" }, spots: HOME_PLACES }), expected);
});

test("the CLI runs hooks and servers of an installed plugin from the path that the CLI's configuration states", async (t) => {
	const [work, plugin, marks] = [await makeFolder(t), await makeFolder(t), await makeFolder(t)];
	await writeAll(plugin, {
		"plugin.json": { name: "p", version: "1.0.0", description: "p", hooks: "of/hooks.json" },
		"of/hooks.json": hooks(join(marks, "hook")),
		".mcp.json": { mcpServers: { p: { command: "touch", args: [join(marks, "server")] } } },
	});
	const cli = await startRealCli(t, () => ({ text: ["Done."] }));
	const { command } = await findCli({ setting: "", env: {}, packageFolders: [resolve(".")] });
	await promisify(execFile)(command, ["plugin", "install", plugin], { env: cli.env });
	const config = join(cli.env["COPILOT_HOME"] ?? "", "config.json");
	const text = await readFile(config, "utf8");
	const installed = /"cache_path": "(.*)"/.exec(text)?.[1] ?? "";
	await rename(installed, join(marks, "moved"));
	await writeFile(config, text.replace(installed, join(marks, "moved")));
	await askOn(cli, await cli.open(work), "Go");
	assert.deepEqual((await readdir(marks)).sort(), ["hook", "moved", "server"]);
	const running = (await homeLoads(dirname(config), work))?.running.map((line) => inWords(line)).join("\n");
	for (const shown of [/sessionStart runs touch .*hook/, /MCP server “p”/])
		assert.match(running ?? "", shown);
});
