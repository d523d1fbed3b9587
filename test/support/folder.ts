import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** Creates a folder, deleted after the test; returns its real path. */
export async function makeFolder(t: Pick<TestContext, "after">): Promise<string> {
	const folder = await realpath(await mkdtemp(join(tmpdir(), "copilot-ld-")));
	// A killed program may still write for a moment.
	t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));
	return folder;
}
