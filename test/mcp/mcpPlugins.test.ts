import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
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
