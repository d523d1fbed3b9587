import assert from "node:assert/strict";
import { test } from "node:test";
import { MCP_SERVER } from "../../src/core/agent/tool.ts";
import { openEndpoint } from "../mcp/endpoint/openEndpoint.ts";
import { answerOf, requestFor, runnerOn, runToEnd, startRealCli } from "./realCli.ts";

test("a token for our tools ends with the session of the CLI that has it, or that does not get it", async (t) => {
	const cli = await startRealCli(t, () => ({ text: ["All well."] }));
	const { endpoint, url } = await openEndpoint(t, () => []);
	const settingFor = (owner: string) => {
		const token = endpoint.tokenFor(owner);
		const server = { name: MCP_SERVER, url, token, end: () => endpoint.end(token) };
		return { token, setting: { cwd: cli.work, mcpServers: [server], owner } };
	};
	/** Whether the endpoint knows a token; without a body it does nothing for it. */
	const holds = async (token: string) => {
		const headers = { authorization: `Bearer ${token}` };
		return (await fetch(url, { method: "DELETE", headers })).status !== 401;
	};

	const first = settingFor("anna");
	const session = await cli.sessions.create(first.setting);
	await runToEnd(runnerOn(cli, session), requestFor("Hello"));
	assert.equal(await holds(first.token), true);
	const again = settingFor("anna");
	assert.equal((await cli.sessions.load(session.id, again.setting)).session, session);
	assert.deepEqual([await holds(first.token), await holds(again.token)], [true, false]);
	const other = settingFor("bo");
	const resumed = (await cli.sessions.load(session.id, other.setting)).session;
	assert.deepEqual([await holds(first.token), await holds(other.token)], [false, true]);
	assert.equal(answerOf(await runToEnd(runnerOn(cli, resumed), requestFor("And now?"))), "All well.");
	await cli.client.stop();
	assert.equal(await holds(other.token), false);
	const missing = settingFor("carl");
	await assert.rejects(cli.sessions.load("00000000-0000-4000-8000-000000000000", missing.setting));
	assert.equal(await holds(missing.token), false);
	const last = settingFor("bo");
	await cli.sessions.load(session.id, last.setting);
	assert.equal(await holds(last.token), true);
	await cli.sessions.delete(session.id);
	assert.equal(await holds(last.token), false);
});
