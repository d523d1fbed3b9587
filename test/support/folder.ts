import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

export async function makeFolder(t: TestContext): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "copilot-ld-"));
	t.after(() => rm(folder, { recursive: true, force: true }));
	return folder;
}
