import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { json, says, scriptedServer } from "../models/scriptedServer.ts";
import { MCP_PROGRAM } from "../support/programs.ts";
import { makeWorkspace, type Workspace } from "../worker/workspace.ts";

const LIGHTS = `# Lights

The lamp of Skagen is lit at dusk.

The lamp of Ringhals is tested every ninety days.
`;

const TESTS = `tests:
  - ask: When is the lamp of Skagen lit?
    says: dusk
    cites: lights.md:3
  - search: How often is the lamp of Ringhals tested?
    finds: ninety days
    says: every ninety days
`;

const FAILING = `${TESTS}  - search: Skagen
    says: at noon
`;

test("tests that pass end the program with 0", async (t) => {
	const { code, printed } = await run(await makeWorkspace(t, files(TESTS)));
	assert.equal(code, 0, printed);
	assert.match(printed, /2 passed, 0 failed/);
});

test("a problem report has counts and versions, and no name of a file or folder", async (t) => {
	const workspace = await makeWorkspace(t, files(TESTS));
	const file = join(workspace.dataFolder, "..", "report.json");
	const { code, printed } = await run(workspace, "--problem-report", file);
	assert.equal(code, 0, printed);
	const text = await readFile(file, "utf8");
	const { contents, index, settings, worker } = JSON.parse(text);
	assert.deepEqual([contents, index.documents, index.failed], [false, 1, 0]);
	assert.deepEqual([settings.workspaces, settings.data], ["(set)", "(set)"]);
	assert.ok(worker.entries.some(({ event }: { event: string }) => event === "copilot-ld/knowledge/index"));
	for (const name of ["lights.md", workspace.root]) assert.ok(!text.includes(name));
});

test("a test that fails ends it with 1, and is in the file for build servers at its line", async (t) => {
	const workspace = await makeWorkspace(t, files(FAILING));
	const junit = join(workspace.dataFolder, "..", "outcomes.xml");
	const { code, printed } = await run(workspace, "--junit", junit);
	assert.equal(code, 1, printed);
	assert.match(printed, /tests\.yaml:9: The answer does not say "at noon"/);
	assert.match(await readFile(junit, "utf8"), /failures="1".*tests\.yaml:9/s);
});

test("a file that is not understood ends it with 1, whatever passes", async (t) => {
	const { code, printed } = await run(
		await makeWorkspace(
			t,
			files(`tests:\n  - asks: Skagen\n    says: dusk\n${CRITERIA.slice(7)}${TESTS.slice(7)}`),
		),
	);
	assert.equal(code, 1, printed);
	assert.match(printed, /– When is the lamp of Skagen lit\?/);
	assert.match(printed, /1 passed, 0 failed, 1 skipped, 3 not understood/);
	assert.match(printed, /tests\.yaml:2: .*"asks" is not supported/);
});

test("a folder without tests ends it with 2, and says where they belong", async (t) => {
	const { code, printed } = await run(await makeWorkspace(t, { "lights.md": LIGHTS }));
	assert.equal(code, 2, printed);
	assert.match(printed, /\.copilot-ld\/tests\.yaml/);
});

const CRITERIA = `tests:
  - ask: When is the lamp of Skagen lit?
    criteria:
      - The answer names a time of day.
      - The answer names a keeper.
`;

test("a model that is named judges what is asked for in words; one that is not there ends it with 2", async (t) => {
	const server = await scriptedServer(t);
	server.pages.set("/v1/models", json({ data: [{ id: "tiny" }] }));
	server.play(says('{"meets": true}'), says('{"meets": false, "why": "Nobody is named."}'));
	const workspace = await makeWorkspace(t, files(CRITERIA));
	const { code, printed } = await run(workspace, "--model-endpoint", server.origin, "--model", "tiny");
	assert.equal(code, 1, printed);
	assert.match(printed, /tests\.yaml:5: The answer names a keeper\.: Nobody is named\./);
	assert.match(JSON.stringify(server.asked.at(-1)?.body), /lit at dusk/);
	const other = await run(workspace, "--model-endpoint", server.origin, "--model", "huge");
	assert.equal(other.code, 2);
	assert.match(other.printed, /no model "huge"\. It has: tiny\./);
});

function files(tests: string) {
	return { "lights.md": LIGHTS, ".copilot-ld/tests.yaml": tests };
}

function run({ root, dataFolder }: Workspace, ...more: readonly string[]) {
	const args = [MCP_PROGRAM, "--workspace", root, "--data", dataFolder, "--test", ...more];
	const { promise, resolve } = Promise.withResolvers<{ code: unknown; printed: string }>();
	execFile(process.execPath, [...process.execArgv, ...args], (error, output, errors) =>
		resolve({ code: error ? error.code : 0, printed: `${output}${errors}` }),
	);
	return promise;
}
