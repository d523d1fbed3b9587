import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { json, says, scriptedServer } from "../models/scriptedServer.ts";
import { makeWorkspace } from "../worker/workspace.ts";
import { runOn } from "./mcpProgram.ts";

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

/** From line 9 on: one that fails, one that is not understood, and one for a model. */
const MIXED = `${TESTS}  - search: Skagen
    says: at noon
  - asks: Skagen
    says: dusk
  - ask: When is the lamp of Skagen lit at night?
    criteria:
      - The answer names a time of day.
      - The answer names a keeper.
`;

function files(tests: string) {
	return { "lights.md": LIGHTS, ".copilot-ld/tests.yaml": tests };
}

test("tests that pass end the program with 0", async (t) => {
	const { code, printed } = await runOn(await makeWorkspace(t, files(TESTS)), "--test");
	assert.equal(code, 0, printed);
	assert.match(printed, /2 passed, 0 failed/);
});

test("a problem report has counts and versions, and no name of a file or folder", async (t) => {
	const workspace = await makeWorkspace(t, files(TESTS));
	const file = join(workspace.dataFolder, "..", "report.json");
	const { code, printed } = await runOn(workspace, "--problem-report", file);
	assert.equal(code, 0, printed);
	const text = await readFile(file, "utf8");
	const { contents, index, settings, worker } = JSON.parse(text);
	assert.deepEqual([contents, index.documents, index.failed], [false, 1, 0]);
	assert.deepEqual([settings.workspaces, settings.data], ["(set)", "(set)"]);
	assert.ok(worker.entries.some(({ event }: { event: string }) => event === "copilot-ld/knowledge/index"));
	for (const name of ["lights.md", workspace.root]) assert.ok(!text.includes(name));
});

test("a test that fails or is not understood ends it with 1, at its line; a model that is named judges criteria in words", async (t) => {
	const server = await scriptedServer(t);
	server.pages.set("/v1/models", json({ data: [{ id: "tiny" }] }));
	server.play(says('{"meets": true}'), says('{"meets": false, "why": "Nobody is named."}'));
	const workspace = await makeWorkspace(t, files(MIXED));
	const junit = join(workspace.dataFolder, "..", "outcomes.xml");
	const first = await runOn(workspace, "--test", "--junit", junit);
	assert.equal(first.code, 1, first.printed);
	assert.match(first.printed, /tests\.yaml:9: The answer does not say "at noon"/);
	assert.match(first.printed, /tests\.yaml:10: .*"asks" is not supported/);
	assert.match(first.printed, /– When is the lamp of Skagen lit at night\?/);
	assert.match(first.printed, /2 passed, 1 failed, 1 skipped, \d not understood/);
	assert.match(await readFile(junit, "utf8"), /failures="\d".*tests\.yaml:9/s);
	const model = ["--model-endpoint", server.origin, "--model"];
	const judged = await runOn(workspace, "--test", ...model, "tiny");
	assert.match(judged.printed, /tests\.yaml:15: The answer names a keeper\.: Nobody is named\./);
	assert.match(JSON.stringify(server.asked.at(-1)?.body), /lit at dusk/);
	const other = await runOn(workspace, "--test", ...model, "huge");
	assert.equal(other.code, 2);
	assert.match(other.printed, /no model "huge"\. It has: tiny\./);
});

test("a folder without tests ends it with 2, and says where they belong", async (t) => {
	const { code, printed } = await runOn(await makeWorkspace(t, { "lights.md": LIGHTS }), "--test");
	assert.equal(code, 2, printed);
	assert.match(printed, /\.copilot-ld\/tests\.yaml/);
});
