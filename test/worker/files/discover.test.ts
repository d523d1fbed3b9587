import assert from "node:assert/strict";
import { once } from "node:events";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join, relative } from "node:path";
import { type TestContext, test } from "node:test";
import { createExclusion, createReservation, discover } from "../../../src/worker/files/discover.ts";
import { emptyFiles, type Files, makeWorkspace, never, type Workspace } from "../workspace.ts";

type Options = Partial<Parameters<typeof discover>[0]>;

async function discovered({ root, dataFolder }: Workspace, options: Options = {}) {
	const reservation = createReservation(root, false);
	const all = { root, dataFolder, excludes: [], reservation, ...options };
	return Array.fromAsync(discover(all, never));
}

async function found(workspace: Workspace, options: Options = {}): Promise<string[]> {
	const files = await discovered(workspace, options);
	return files.map(({ path, refused }) => {
		const name = relative(workspace.root, path);
		return refused ? `${name}: ${refused.kind}, ${refused.reason}` : name;
	});
}

const foundAmong = async (t: TestContext, files: Files) => found(await makeWorkspace(t, files));

test("files are listed by folder and name, without excluded files", async (t) => {
	const names = "b.md a.md docs/c.md docs/drafts/d.md node_modules/x/readme.md x.log";
	const files = { ...emptyFiles(names), "docs/.gitignore": "drafts\n", ".gitignore": "*.log\n" };
	const kept = [".gitignore", "a.md", "b.md", "docs/.gitignore", "docs/c.md"];
	assert.deepEqual(await foundAmong(t, files), kept);
});

test("the folder's configuration includes and excludes files", async (t) => {
	const config = "include: [docs/, dist/]\nexclude: ['!dist/', '*.tmp']\n";
	const files = emptyFiles("a.md docs/b.md docs/b.tmp dist/c.md");
	const found = await foundAmong(t, { ...files, ".copilot-ld/config.yaml": config });
	assert.deepEqual(found, ["dist/c.md", "docs/b.md"]);
});

test("only files in the scope are listed, and no files of the index", async (t) => {
	const workspace = await makeWorkspace(t, emptyFiles("a.md cache/x.md docs/b.md docs/in/c.md docsy/d.md"));
	const scope = ["docs/in", "a.md", "gone.md"].map((name) => workspace.path(name));
	assert.deepEqual(await found(workspace, { scope }), ["a.md", "docs/in/c.md"]);
	const dataFolder = workspace.path("cache");
	const others = ["a.md", "docs/b.md", "docs/in/c.md", "docsy/d.md"];
	assert.deepEqual(await found(workspace, { dataFolder }), others);
});

test("links are not followed, and sockets are not read", async (t) => {
	const workspace = await makeWorkspace(t, { "docs/a.md": "" });
	await symlink(workspace.root, workspace.path("docs/circle"));
	await symlink("/etc/passwd", workspace.path("docs/out.txt"));
	await symlink("nowhere", workspace.path("broken.md"));
	const isWindows = process.platform === "win32";
	const socket = createServer().listen(isWindows ? 0 : workspace.path("socket.md"));
	await once(socket, "listening");
	t.after(() => socket.close());
	assert.deepEqual(await found(workspace), [
		"broken.md: skipped, a link (links are not followed)",
		...(isWindows ? [] : ["socket.md: skipped, not a regular file"]),
		"docs/a.md",
		"docs/circle: skipped, a link (links are not followed)",
		"docs/out.txt: skipped, a link (links are not followed)",
	]);
});

test("a large file is skipped unread, and linked data may be larger than text", async (t) => {
	const large = new Uint8Array(8_000_001);
	const files = { "a.txt": large, "a.ttl": large, "b.ttl": new Uint8Array(64_000_001) };
	const listed = ["a.ttl", "a.txt: skipped, larger than 8 MB", "b.ttl: skipped, larger than 64 MB"];
	assert.deepEqual(await foundAmong(t, files), listed);
});

test("unusual file names are listed", async (t) => {
	const names = ["%41.md", "a b.md", "a\nb.md", "a#b?c.md", "a\\b.md", "ünï\u0301.md", "…🚀.md", "...md"];
	const workspace = await makeWorkspace(t, Object.fromEntries(names.map((name) => [name, ""])));
	const files = await discovered(workspace);
	assert.deepEqual(files.map(({ path }) => relative(workspace.root, path)).sort(), [...names].sort());
	assert.equal(new Set(files.map(({ uri }) => decodeURIComponent(uri))).size, names.length);
});

const skip = process.platform !== "linux" && "other systems have no such names";

test("a name that is not UTF-8 is listed as failed with the reason", { skip }, async (t) => {
	const workspace = await makeWorkspace(t);
	const bytesOf = (name: string) => Buffer.from(join(workspace.root, name), "latin1");
	await mkdir(bytesOf("sub\xFF"));
	await writeFile(bytesOf("a\xFF.md"), "x");
	const failed = "failed, its name is not valid UTF-8";
	assert.deepEqual(await found(workspace), [`a\uFFFD.md: ${failed}`, `sub\uFFFD: ${failed}`]);
});

test("an unreadable folder is listed as failed, and other folders are listed", async (t) => {
	if (process.getuid?.() === 0) return t.skip("root may list every folder");
	const workspace = await makeWorkspace(t, { "a.md": "", "closed/b.md": "", "z/c.md": "" });
	await chmod(workspace.path("closed"), 0);
	const all = await found(workspace);
	await chmod(workspace.path("closed"), 0o700);
	assert.deepEqual(all, ["a.md", "closed: failed, cannot be read: permission denied", "z/c.md"]);
});

/** The texts of `.gitignore` files are by folder, outermost first. */
type Rules = { globs?: string[]; gitignores?: Record<string, string> };

const DEFAULTS =
	"node_modules/ docs/node_modules/ .git/ dist/ package-lock.json app.min.js .env deploy/.env.local server.pem";
const NESTED = { "docs/": "*.log\n/drafts/\n!keep.log\n# not a rule\n\nold/x.md\n" };
const NESTED_OUT = "docs/a.log docs/deep/a.log docs/drafts/ docs/old/x.md";
const NESTED_KEPT = "a.log drafts/ docs/keep.log docs/deep/drafts/";
const INNER = { "": "*.md\n", "docs/": "!*.md\n" };
const GLOBS = ["**/*.{tmp,bak}", "build", "assets/**"];
const GLOBS_OUT = "a.tmp b/b.bak build/ assets/a";

for (const [title, rules, out, kept] of [
	["folders of tools, lock files and secrets are excluded", {}, DEFAULTS, "docs/ .github/ dist.md"],
	["a nested .gitignore applies only to its folder", { gitignores: NESTED }, NESTED_OUT, NESTED_KEPT],
	["an inner .gitignore takes precedence", { gitignores: INNER }, "a.md", "docs/b.md"],
	["a folder's name is not a pattern", { gitignores: { "a[b]*!#/": "x.md\n" } }, "a[b]*!#/x.md", "ab!#/x.md"],
	["the editor's globs may contain alternatives", { globs: GLOBS }, GLOBS_OUT, "b/build/"],
] as readonly [title: string, rules: Rules, out: string, kept: string][])
	test(title, () => {
		let exclusion = createExclusion(rules.globs ?? [], []);
		for (const [folder, text] of Object.entries(rules.gitignores ?? {}))
			exclusion = exclusion.withGitignore(folder, text);
		const remaining = `${out} ${kept}`.split(" ").filter((path) => !exclusion.excludes(path));
		assert.deepEqual(remaining, kept.split(" "));
	});
