import type { TestContext } from "node:test";
import { Uri, workspace } from "./fakeVscode.ts";

/** Opens folders in the fake VS Code until the test ends. */
export function openFolders(t: Pick<TestContext, "after">, ...paths: readonly string[]): void {
	workspace.workspaceFolders = paths.map((path, at) => ({ uri: Uri.file(path), name: `kb${at || ""}` }));
	t.after(() => Object.assign(workspace, { workspaceFolders: undefined }));
}
