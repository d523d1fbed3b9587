import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { MCP_SERVER } from "../../src/core/agent/mcpEndpoint.ts";
import { createHttpEndpoint } from "../../src/mcp/endpoint/httpEndpoint.ts";
import { withAdmission } from "../../src/permissions/admission.ts";
import { createConsents } from "../../src/permissions/consents.ts";
import { defineTool } from "../../src/tools/defineTool.ts";
import { createFakePermissions } from "./fakePermissions.ts";
import { answerOf, type RunnerOptions, requestFor, runnerOn, runToEnd, startRealCli } from "./realCli.ts";
import type { ScriptedReply, SeenRequest } from "./scriptedModelServer.ts";

const CHAT = "chat-1";

/** The model calls our tool, and repeats what came of it. */
function reply({ results }: SeenRequest): ScriptedReply {
	if (results.length > 0) return { text: [`It said: ${results.join(" | ")}`] };
	return { calls: [{ name: `${MCP_SERVER}-remember`, input: { text: "The lamp is lit at dusk." } }] };
}

test("our tools run on the CLI only if the person allows it, once or for longer", async (t) => {
	const cli = await startRealCli(t, reply);
	const permissions = createFakePermissions();
	const consents = createConsents();
	const kept: string[] = [];
	const remember = defineTool({
		...{ name: "remember", title: "Remember", summary: "Remembers.", description: "Remembers a sentence." },
		schema: z.object({ text: z.string() }),
		announce: ({ text }) => `Remembering ${text}`,
		run: async ({ text }) => {
			kept.push(text);
			return "Kept.";
		},
	});
	const endpoint = createHttpEndpoint({
		version: "1",
		toolsFor: (session) =>
			withAdmission([remember], permissions, { door: "cli", workspace: "", session }, { consents }),
		onError: (thrown) => assert.fail(String(thrown)),
	});
	t.after(() => endpoint.close());
	const { url } = await endpoint.start();
	const mcpServers = [{ name: MCP_SERVER, url, token: endpoint.tokenFor(CHAT) }];
	const session = await cli.sessions.create({ cwd: cli.work, mcpServers });
	const askedFor: string[] = [];
	const ask = async (said: "once" | "session" | "rejectAndStop") => {
		const answer: RunnerOptions["answer"] = ({ request: { tool } }) => {
			askedFor.push(tool);
			if (said === "once") consents.give(CHAT, tool);
			return said;
		};
		const runner = runnerOn(cli, session, { permissions, chat: CHAT, answer });
		return answerOf(await runToEnd(runner, requestFor("Remember it.")));
	};
	await ask("rejectAndStop");
	assert.deepEqual(kept, []);
	assert.match(await ask("once"), /Kept/);
	assert.match(await ask("session"), /Kept/);
	assert.match(await ask("rejectAndStop"), /Kept/);
	assert.equal(kept.length, 3);
	assert.deepEqual(askedFor, ["remember", "remember", "remember"]);
});
