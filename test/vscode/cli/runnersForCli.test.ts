import assert from "node:assert/strict";
import { test } from "node:test";
import { createChannelRunner } from "../../../src/agent/loop/tracedAgent.ts";
import type { Knowledge } from "../../../src/core/knowledge/knowledge.ts";
import { runnersForCli } from "../../../src/vscode/cli/link.ts";
import { answering } from "../../mcp/scriptedTool.ts";
import { fakeModel } from "../../support/fakeModel.ts";
import { createFakePermissions } from "../../support/fakePermissions.ts";

const signal = new AbortController().signal;

test("a plugin command that the CLI calls runs on a VS Code model with the CLI's permissions", async () => {
	const permissions = createFakePermissions([{ effect: "deny", channel: "cli", tool: "secret" }]);
	const wished: (string | undefined)[] = [];
	const channels: unknown[] = [];
	const asked: string[] = [];
	const search: Knowledge["search"] = async ({ channel }) => {
		channels.push(channel);
		return { hits: [], total: 0, truncated: false, notices: [] };
	};
	const calls = ["plugin_people_job", "secret"].map((name) => ({ id: name, name, input: {} }));
	const model = fakeModel([...calls.map((call) => [call]), ["A keeper."]]);
	const forSession = runnersForCli({
		permissions,
		askPerson: async ({ request }) => {
			asked.push(`${request.channel} ${request.session} ${request.tool}`);
			return { kind: "once" };
		},
		knowledge: { search } as Partial<Knowledge> as Knowledge,
		tools: () => [{ ...answering("secret", "the secret"), isReadOnly: true }],
		runnerAt: async (at, wanted) => {
			wished.push(wanted);
			const nothing = async () => ({ context: [], notices: [] });
			const hooks = { prompt: nothing, before: nothing, after: nothing, end: nothing };
			return createChannelRunner({ ...at, model, hooks, folderNames: ["kb"], maxRounds: 4 });
		},
	});
	const wish = { commands: [answering("plugin_people_job", "Keeper")], model: "small" };
	const runner = await forSession("chat")({ signal }, wish);
	const events = await Array.fromAsync(runner({ question: "Who?", history: [], attachments: [] }, signal));
	assert.match(JSON.stringify(events), /A keeper/);
	assert.deepEqual([wished, [...new Set(channels)]], [["small"], ["cli"]]);
	assert.deepEqual(asked, ["cli chat plugin_people_job"]);
	const told = JSON.stringify(model.requests.at(-1)?.messages);
	assert.match(told, /Keeper/);
	assert.doesNotMatch(told, /the secret/);
});
