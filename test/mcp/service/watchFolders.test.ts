import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { watchFolders } from "../../../src/mcp/service/watchTree.ts";
import { untilIt } from "../../support/untilIt.ts";
import { makeWorkspace } from "../../worker/workspace.ts";

async function watching(t: TestContext, root: string, dataFolder: string) {
	const heard: string[] = [];
	const onChange = (paths: readonly string[]) => void heard.push(...paths);
	const watch = watchFolders([root], { dataFolder, onChange, onError: assert.fail });
	t.after(() => watch.close());
	await watch.ready;
	return { heard, watch };
}

test("a watch follows a link to its folder, but no inner links, and ignores packages, Git and the index", async (t) => {
	const files = { "node_modules/a/b.md": "b", ".git/c.md": "c", "d/e.md": "e" };
	const [own, other] = [await makeWorkspace(t, files), await makeWorkspace(t, { "b.md": "b" })];
	const link = join(own.dataFolder, "../link");
	await symlink(own.root, link);
	await symlink(other.root, own.path("inside"));
	const data = join(link, "index");
	await mkdir(data);
	const closed = await watching(t, link, data);
	closed.watch.close();
	const { heard } = await watching(t, link, data);
	await writeFile(other.path("b.md"), "bb");
	const ignored = { "node_modules/a/b.md": "bb", "node_modules/new/g.md": "g", ".git/c.md": "cc" };
	await own.write({ ...ignored, "index/f.md": "f", "d/e.md": "ee" });
	await untilIt(async () => heard.includes(join(link, "d/e.md")), Boolean);
	assert.deepEqual([...new Set(heard), ...closed.heard], [join(link, "d/e.md")]);
});
