import assert from "node:assert/strict";
import { mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { isFailure } from "../../../src/base/failure.ts";
import type { Effect } from "../../../src/core/permission/permission.ts";
import { onDisk } from "../../../src/permissions/arguments/realPaths.ts";
import { createPermissions } from "../../../src/permissions/openPermissions.ts";
import { makeFolder } from "../../support/folder.ts";

const skip = process.platform === "win32" && "links need rights there";

async function open(t: TestContext) {
	const home = await realpath(await makeFolder(t));
	const at = (path: string) => join(home, path);
	for (const folder of ["project/src", "outside"]) await mkdir(at(folder), { recursive: true });
	await writeFile(at("outside/key.pem"), "");
	await symlink(at("outside"), at("project/src/link"));
	await symlink("../../outside/new.txt", at("project/src/dangling"));
	await symlink(at("project"), at("alias"));
	await symlink(at("circle"), at("circle"));
	const permissions = createPermissions({
		...{ folder: at("rules"), managedRules: () => [], now: () => 0, ignoreCase: false },
	});
	const requestFor = (path: string, workspace = "project") => ({
		...({ door: "cli", tool: "edit", title: "", mutates: true } as const),
		arguments: [{ kind: "path" as const, value: path }],
		workspace: pathToFileURL(at(workspace)).href,
	});
	const effectOn = async (path: string, workspace?: string): Promise<Effect> =>
		(await permissions.verdictFor(requestFor(path, workspace))).effect;
	const add = (effect: Effect, value: string) =>
		permissions.add({ effect, scope: "always", argument: { kind: "path", value } });
	return { at, add, effectOn, requestFor };
}

test("what is allowed within a folder is not allowed through a link that leads out of it", {
	skip,
}, async (t) => {
	const { at, add, effectOn } = await open(t);
	await add("allow", "src/**");
	assert.equal(await effectOn(at("project/src/a.ts")), "allow");
	for (const path of ["src/link/x", "src/link/key.pem", "src/dangling", "src/link/../a", "src/new/../link/x"])
		assert.equal(await effectOn(`${at("project")}/${path}`), "ask", path);
});

test("what is denied is denied by each of its names, also what is not there yet", { skip }, async (t) => {
	const { at, add, effectOn } = await open(t);
	await add("allow", "**");
	await add("deny", `${at("outside")}/**`);
	for (const path of ["outside/x", "project/src/link/x", "project/src/link/a/b", "project/src/dangling"])
		assert.equal(await effectOn(at(path)), "deny", path);
	assert.equal(await effectOn(at("project/src/x")), "allow");
});

test("a deny that names a link holds where the link leads, and by the link", { skip }, async (t) => {
	const { at, add, effectOn } = await open(t);
	await add("allow", "**");
	await add("deny", "src/link/**");
	for (const path of ["project/src/link/x", "outside/x", "alias/src/link/x"])
		assert.equal(await effectOn(at(path)), "deny", path);
});

test("a window whose folder is a link has the rules of that folder", { skip }, async (t) => {
	const { at, add, effectOn } = await open(t);
	await add("allow", "src/*.ts");
	await add("allow", `${at("alias")}/docs/**`);
	for (const path of ["alias/src/a.ts", "project/src/a.ts", "alias/docs/x"])
		assert.equal(await effectOn(at(path), "alias"), "allow", path);
	assert.equal(await effectOn(at("alias/src/link/a.ts"), "alias"), "ask");
});

test("a path says where it is on the disk, and how it was written", { skip }, async (t) => {
	const { at, requestFor } = await open(t);
	const { arguments: args } = await onDisk(requestFor(at("project/src/link/x")));
	assert.deepEqual(args, [{ kind: "path", value: at("outside/x"), alias: at("project/src/link/x") }]);
	assert.deepEqual((await onDisk(requestFor("C:/x"))).arguments[0]?.value, "C:/x");
});

test("a path that nobody can follow is allowed to nobody", { skip }, async (t) => {
	const { at, add, effectOn } = await open(t);
	await add("allow", "**");
	await assert.rejects(
		effectOn(at("circle/x")),
		(thrown) => isFailure(thrown) && thrown.code === "PERMISSIONS_UNREADABLE",
	);
});
