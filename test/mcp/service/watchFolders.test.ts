import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { watchFolders } from "../../../src/mcp/service/watchTree.ts";
import { makeWorkspace } from "../../worker/workspace.ts";

async function watching(t: TestContext, root: string, dataFolder: string) {
	const heard = new Set<string>();
	let check: () => void = () => undefined;
	const watch = watchFolders([root], {
		dataFolder,
		onChange: (paths) => {
			for (const path of paths) heard.add(path);
			check();
		},
		onError: assert.fail,
	});
	t.after(() => watch.close());
	await watch.ready;
	/** Resolves when a path was heard; the test runner's limit ends what never comes. */
	const until = (path: string) =>
		new Promise<void>((resolve) => {
			check = () => {
				if (heard.has(path)) resolve();
			};
			check();
		});
	return { heard, until, watch };
}

test("what happens among installed packages, in version control and in the index is not heard", async (t) => {
	const workspace = await makeWorkspace(t, { "node_modules/a/b.md": "b", ".git/c.md": "c", "d/e.md": "e" });
	const data = workspace.path("index");
	await mkdir(data);
	const { heard, until } = await watching(t, workspace.root, data);
	await workspace.write({ "node_modules/a/b.md": "bb", ".git/c.md": "cc", "index/f.md": "f" });
	await workspace.write({ "node_modules/new/g.md": "g" });
	await workspace.write({ "d/e.md": "ee" });
	await until(workspace.path("d/e.md"));
	assert.deepEqual([...heard], [workspace.path("d/e.md")]);
});

test("a folder is watched that is named by a link, none that is linked inside, and nothing once the watch is closed", async (t) => {
	const [own, other] = [await makeWorkspace(t, { "a.md": "a" }), await makeWorkspace(t, { "b.md": "b" })];
	const link = join(own.dataFolder, "../link");
	await symlink(own.root, link);
	await symlink(other.root, own.path("inside"));
	const closed = await watching(t, link, own.dataFolder);
	closed.watch.close();
	const { heard, until } = await watching(t, link, own.dataFolder);
	await writeFile(other.path("b.md"), "bb");
	await own.write({ "a.md": "aa" });
	await until(join(link, "a.md"));
	assert.deepEqual([...heard, ...closed.heard], [join(link, "a.md")]);
});
