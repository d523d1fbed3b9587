import assert from "node:assert/strict";
import { test } from "node:test";
import { formatMcpArguments } from "../../src/protocol/mcpOptions.ts";
import { type Answer, answerWell, serveEmbeddings } from "../embed/http/fakeEmbeddings.ts";
import { endpointSettings } from "../worker/embedding/embeddingWorker.ts";
import { serveObjects } from "../worker/objectStore.ts";
import { makeWorkspace } from "../worker/workspace.ts";
import { LIGHTHOUSE, startMcp, textOf } from "./mcpProgram.ts";

const KEY = "the-key-of-the-endpoint";

const withKey: Answer = (asked, response) => {
	if (asked.headers.authorization === `Bearer ${KEY}`) answerWell(asked, response);
	else response.writeHead(401).end("{}");
};

test("a program without its secrets names the missing variable", async (t) => {
	const { storage, secrets } = await serveObjects(t);
	const { endpoint } = await serveEmbeddings(t, withKey);
	const workspace = await makeWorkspace(t, LIGHTHOUSE);
	const settings = { storage, ...endpointSettings(endpoint) };
	const args = formatMcpArguments({ workspaces: [], excludes: [], ...settings });
	const start = (COPILOT_LD_STORAGE_CREDENTIALS: string) =>
		startMcp(t, { ...workspace, env: { COPILOT_LD_STORAGE_CREDENTIALS } }, ...args);
	const denied = await start("access_key_id=nobody secret_access_key=nothing");
	const refusal = await denied.call("search_knowledge", { query: "lamp" });
	assert.equal(refusal.isError, true);
	assert.match(textOf(refusal), /denied access.*COPILOT_LD_STORAGE_CREDENTIALS/s);
	await denied.close();
	const program = await start(secrets());
	assert.match((await program.search("lamp")).notices.join(), /COPILOT_LD_EMBEDDING_KEY/);
});
