import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { makeFolder } from "../support/folder.ts";

const SCRIPT = pathToFileURL("scripts/askFolder.ts").href;

test("`npm start -- --ask` loads no VS Code module and answers with the built program", async (t) => {
	const folder = await makeFolder(t);
	await writeFile(join(folder, "lamp.md"), "# Lamp\n\nThe lamp of the Skerra Light was lit in 1873.\n");
	const asked = JSON.stringify({ question: "When was the lamp of the Skerra Light lit?", folder });
	const isBuilt = process.env["COPILOT_LD_BUILT"] === "true";
	const say = isBuilt ? `await askFolder(${asked})` : "typeof askFolder";
	const program = `import { askFolder } from ${JSON.stringify(SCRIPT)}; console.log(${say});`;
	// Without the hook of the tests, which replaces `vscode`.
	const { NODE_OPTIONS: _hook, ...env } = process.env;
	const args = ["--input-type=module", "-e", program];
	const { stdout } = await promisify(execFile)(process.execPath, args, { env });
	assert.match(stdout, isBuilt ? /lit in 1873\. \[lamp\.md:3\]/ : /^function/);
});
