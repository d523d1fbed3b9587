import assert from "node:assert/strict";
import { test } from "node:test";
import { argumentsFor } from "../../scripts/vscode/server.ts";

test("only tests get the driver under which VS Code hides its messages and their progress", () => {
	const options = { program: "server-main.js", dataFolder: "data", extensionsFolder: "extensions" };
	const driver = "--enable-smoke-test-driver";
	assert.ok(!argumentsFor(options, "token", 0).includes(driver));
	assert.ok(argumentsFor({ ...options, isTest: true }, "token", 0).includes(driver));
});
