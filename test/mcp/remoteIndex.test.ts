import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
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

async function configure(t: TestContext) {
	const { storage, secrets } = await serveObjects(t);
	const { endpoint } = await serveEmbeddings(t, withKey);
	const settings = { storage, ...endpointSettings(endpoint) };
	const workspace = await makeWorkspace(t, LIGHTHOUSE);
	const args = (more = {}) => formatMcpArguments({ workspaces: [], excludes: [], ...settings, ...more });
	return { workspace, settings, credentials: secrets(), args };
}

test("a program without its secrets says which variable is missing", async (t) => {
	const { workspace, credentials, args } = await configure(t);
	const unfilled = { COPILOT_LD_STORAGE_CREDENTIALS: "access_key_id=nobody secret_access_key=nothing" };
	const denied = await startMcp(t, { ...workspace, env: unfilled }, ...args());
	const refusal = await denied.call("search_knowledge", { query: "lamp" });
	assert.equal(refusal.isError, true);
	assert.match(textOf(refusal), /denied access.*COPILOT_LD_STORAGE_CREDENTIALS/s);
	await denied.close();
	const env = { COPILOT_LD_STORAGE_CREDENTIALS: credentials };
	const program = await startMcp(t, { ...workspace, env }, ...args());
	assert.match((await program.search("lamp")).notices.join(), /COPILOT_LD_EMBEDDING_KEY/);
});
