import assert from "node:assert/strict";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { findCli } from "../../../src/acp/link/findCli.ts";
import { makeFolder } from "../realCli.ts";

const REAL = { setting: "", env: {}, packageFolders: [resolve(".")] };

async function makeProgram(path: string, says: string): Promise<string> {
	await mkdir(dirname(path), { recursive: true });
	await writeFile(path, `#!/bin/sh\necho "${says}"\n`);
	await chmod(path, 0o755);
	return path;
}

test("the CLI of the npm package is found, as the program itself", async () => {
	const { command, version } = await findCli(REAL);
	assert.match(version, /^\d+\.\d+\.\d+$/);
	assert.match(command, /copilot-\w+-\w+[\\/]copilot(?:\.exe)?$/);
});

test("npm's loader on the PATH leads to the program behind it", {
	skip: process.platform === "win32" && "Windows links and starts programs in another way",
}, async (t) => {
	const bin = await makeFolder(t);
	await symlink(resolve("node_modules/@github/copilot/npm-loader.js"), join(bin, "copilot"));
	const { command } = await findCli({ setting: "", env: { PATH: bin } });
	assert.equal(command, (await findCli(REAL)).command);
});

test("what the setting names is taken, and nothing else", async (t) => {
	const { command } = await findCli(REAL);
	assert.equal((await findCli({ setting: command, env: {} })).command, command);
	const missing = join(await makeFolder(t), "copilot");
	await assert.rejects(findCli({ ...REAL, setting: missing }), {
		code: "CLI_MISSING",
		message: /Correct copilot-ld\.cli\.path/,
	});
	await assert.rejects(findCli({ ...REAL, setting: "copilot" }), { message: /absolute path/ });
});

test("if there is none, the error names the command that installs it", async () => {
	await assert.rejects(findCli({ setting: "", env: { PATH: "" } }), {
		code: "CLI_MISSING",
		message: /npm install -g @github\/copilot/,
	});
});

test("for one that is too old, the error says how to update it; a newer one is preferred", {
	skip: process.platform === "win32" && "it starts a script of a shell",
}, async (t) => {
	const bin = await makeFolder(t);
	const old = await makeProgram(join(bin, "copilot"), "0.0.354");
	await assert.rejects(findCli({ setting: "", env: { PATH: bin } }), {
		code: "CLI_OLD",
		message: /0\.0\.354.*copilot update/,
	});
	await assert.rejects(findCli({ setting: old, env: {} }), { code: "CLI_OLD" });
	const { command } = await findCli({ ...REAL, env: { PATH: bin } });
	assert.notEqual(command, old);
});

test("another program of the same name is not taken for it", {
	skip: process.platform === "win32" && "it starts a script of a shell",
}, async (t) => {
	const bin = await makeFolder(t);
	await makeProgram(join(bin, "copilot"), "copilot version: v1.34.0");
	await assert.rejects(findCli({ setting: "", env: { PATH: bin } }), { code: "CLI_MISSING" });
});
