import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { createPluginConsents } from "../../src/permissions/pluginConsents.ts";
import { createPluginFiles } from "../../src/worker/plugins/pluginFiles.ts";
import { makeWorkspace } from "../worker/workspace.ts";
import { startMcp, textOf } from "./mcpProgram.ts";

const FACTS = `@prefix s: <https://schema.org/> .
<https://example.org/anna> a s:Person ; s:name "Anna Holm" ; s:jobTitle "Keeper of the lamp" .
`;

const PEOPLE = `group_id: org.example
artifact_id: people
version: 1.0.0
type: plugin
as_plugin: true
info: { title: People, description: Asks about people. }
commands:
  - command_name: job_of
    description: What somebody does.
    parameter: { type: { name: { type: string } } }
    executor:
      kind: sparql
      query: "SELECT ?who ?job { ?who <https://schema.org/name> $name ; <https://schema.org/jobTitle> ?job }"
`;

test("the commands of plugins are tools without an editor, within the policies, and follow their files", async (t) => {
	const files = { "people.ttl": FACTS, ".copilot-ld/plugins/people/plugin.yaml": PEOPLE };
	const workspace = await makeWorkspace(t, files);
	const { client, call } = await startMcp(t, workspace);
	const names = async () =>
		(await client.listTools()).tools.map(({ name }) => name).filter((name) => name.startsWith("plugin"));
	assert.deepEqual(await names(), ["plugin_people_job_of"]);
	const job = () => call("plugin_people_job_of", { name: "Anna Holm" });
	assert.match(
		textOf(await job()),
		/^1 rows \(complete\):\nwho\tjob\n.*Keeper of the lamp\n\nSources: \[people\.ttl:2\]/,
	);
	const hostile = await call("plugin_people_job_of", { name: '" . ?a ?b ?job . FILTER("" = "' });
	assert.match(textOf(hostile), /^0 rows/);
	const wrong = await call("plugin_people_job_of", {});
	assert.deepEqual([wrong.isError, textOf(wrong)], [true, "Wrong input. “name” is missing."]);
	const changed = new Promise<void>((resolve) => {
		client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
	});
	await workspace.write({
		".copilot-ld/plugins/people/plugin.yaml": PEOPLE.replace("job_of", "job"),
		".copilot-ld/config.yaml": "policy: [{ deny: { properties: [jobTitle] }, doors: [mcp] }]\n",
	});
	await changed;
	assert.deepEqual(await names(), ["plugin_people_job"]);
	assert.match(textOf(await call("plugin_people_job", { name: "Anna Holm" })), /not in use|^0 rows/);
});

const never = new AbortController().signal;

const ACTS = `group_id: org.example
artifact_id: acts
version: 1.0.0
type: plugin
as_plugin: true
info: { title: Acts, description: Does things. }
hosts: ['127.0.0.1:9']
commands:
  - command_name: count
    description: Counts.
    parameter: { type: { words: { type: string } } }
    executor: { kind: program, program: node, arguments: [-p, "process.argv.length", "{{words}}"] }
  - { command_name: save, description: Saves., executor: { kind: vscode, command: workbench.action.files.save } }
  - { command_name: ask, description: Asks., executor: { kind: http, url: "http://127.0.0.1:9/" } }
`;

test("without an editor a plugin does more than read only where a rule or the client's person allows the call", async (t) => {
	const workspace = await makeWorkspace(t, { ".copilot-ld/plugins/acts/plugin.yaml": ACTS });
	const asked: string[] = [];
	const elicit = ({ message }: { readonly message: string }) => {
		asked.push(message);
		return !message.includes("no; please");
	};
	const { client, call } = await startMcp(t, { ...workspace, elicit });
	const { tools } = await client.listTools();
	const hints = tools.filter(({ name }) => name.startsWith("plugin_")).map(({ annotations }) => annotations);
	assert.deepEqual(hints, Array(3).fill({ readOnlyHint: false, openWorldHint: true }));
	const unseen = await call("plugin_acts_count", { words: "a" });
	assert.match(textOf(unseen), /has not agreed to the plugin acts yet/);
	assert.deepEqual(asked, []);
	const folders = [{ uri: workspace.uri("").replace(/\/$/, ""), name: "kb" }];
	const { plugins } = await createPluginFiles({ folders, home: workspace.root }).registry(never);
	const permissions = join(workspace.dataFolder, "permissions");
	const [place] = folders;
	const consents = createPluginConsents({ folder: permissions, workspaceUri: () => place?.uri ?? "" });
	for (const plugin of plugins) await consents.agree(plugin);
	assert.equal(textOf(await call("plugin_acts_count", { words: "a; b" })), "2\n");
	assert.match(textOf(await call("plugin_acts_count", { words: "no; please" })), /did not allow this call/);
	assert.deepEqual(asked, [
		"Copilot-LD wants to use acts:count: acts:count: Run node -p process.argv.length 'a; b'",
		"Copilot-LD wants to use acts:count: acts:count: Run node -p process.argv.length 'no; please'",
	]);
	assert.match(textOf(await call("plugin_acts_save", {})), /works only in VS Code/);
	assert.match(
		textOf(await call("plugin_acts_ask", {})),
		/127\.0\.0\.1:9 was not asked, or not heard: ECONNREFUSED/,
	);
	assert.match(asked.at(-1) ?? "", /acts:ask: Send GET http:\/\/127\.0\.0\.1:9\/$/);
});
