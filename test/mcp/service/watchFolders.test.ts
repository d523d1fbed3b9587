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

test("a folder is watched that is named by a link, but no link inside, no packages, version control or index, and none once closed", async (t) => {
	const files = { "node_modules/a/b.md": "b", ".git/c.md": "c", "d/e.md": "e" };
	const [own, other] = [await makeWorkspace(t, files), await makeWorkspace(t, { "b.md": "b" })];
	const link = join(own.dataFolder, "../link");
	await symlink(own.root, link);
	await symlink(other.root, own.path("inside"));
	const data = join(link, "index");
	await mkdir(data);
	const closed = await watching(t, link, data);
	closed.watch.close();
	const { heard, until } = await watching(t, link, data);
	await writeFile(other.path("b.md"), "bb");
	await own.write({ "node_modules/a/b.md": "bb", ".git/c.md": "cc", "index/f.md": "f" });
	await own.write({ "node_modules/new/g.md": "g" });
	await own.write({ "d/e.md": "ee" });
	await until(join(link, "d/e.md"));
	assert.deepEqual([...heard, ...closed.heard], [join(link, "d/e.md")]);
});
