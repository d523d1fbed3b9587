import assert from "node:assert/strict";
import { test } from "node:test";
import { readResume } from "../../../src/vscode/agents/agentsCommand.ts";

test("a chain goes on by words that are nothing else", () => {
	const id = "0f8fad5b-d9cb-469f-a165-70867728950e";
	assert.deepEqual(readResume("resume", "here"), { session: "here" });
	assert.deepEqual(readResume(`resume ${id}`, "here"), { session: id });
	assert.deepEqual(readResume("retry fixer-2", "here"), { session: "here", from: "fixer-2" });
	assert.deepEqual(readResume(`retry fixer ${id}`, "here"), { session: id, from: "fixer" });
	for (const task of ["resume the work", "retry the tests", "retry ../x", "resume ../../etc"])
		assert.equal(readResume(task, "here"), undefined);
});
