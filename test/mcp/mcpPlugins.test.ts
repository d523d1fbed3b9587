import assert from "node:assert/strict";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { agreeToAll } from "../plugins/examples.ts";
import { pluginHead } from "../support/pluginHead.ts";
import { PROMPTS_ENV } from "../support/programs.ts";
import { makeWorkspace } from "../worker/workspace.ts";
import { KEEPER, LIGHTHOUSE, runOn, startMcp, textOf } from "./mcpProgram.ts";

const PEOPLE = `commands:
  - name: job_of
    parameters: { name: string }
    query: "SELECT ?who ?job { ?who <https://schema.org/name> $name ; <https://schema.org/jobTitle> ?job }"
`;

test("plugin commands are tools without an editor, follow policies, and change with their files", async (t) => {
	const files = { ...KEEPER, ".copilot-ld/plugins/people/plugin.yaml": PEOPLE };
	const workspace = await makeWorkspace(t, files);
	const { client, call } = await startMcp(t, workspace);
	const names = async () =>
		(await client.listTools()).tools.map(({ name }) => name).filter((name) => name.startsWith("plugin"));
	assert.deepEqual(await names(), ["plugin_people_job_of"]);
	const rows = /^1 rows .*:\nwho\tjob\n.*Keeper of the lamp\n\nSources: \[people\.ttl:2\]/;
	assert.match(textOf(await call("plugin_people_job_of", { name: "Anna Holm" })), rows);
	const hostile = await call("plugin_people_job_of", { name: '" . ?a ?b ?job . FILTER("" = "' });
	assert.match(textOf(hostile), /^0 rows/);
	const changed = new Promise<void>((resolve) => {
		client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
	});
	await workspace.write({
		".copilot-ld/plugins/people/plugin.yaml": PEOPLE.replace("job_of", "job"),
		".copilot-ld/config.yaml": "policy: [{ deny: { properties: [jobTitle] }, channels: [mcp] }]\n",
	});
	await changed;
	assert.deepEqual(await names(), ["plugin_people_job"]);
	assert.match(textOf(await call("plugin_people_job", { name: "Anna Holm" })), /not in use|^0 rows/);
});

const ACTS = `commands:
  - { name: count, parameters: { words: string }, run: "node -p process.argv.length {{words}}" }
  - { name: save, executor: { kind: vscode, command: workbench.action.files.save } }
  - { name: ask, http: "http://127.0.0.1:9/" }
`;

test("without an editor, acting commands run only if a rule or the client's user allows the call", async (t) => {
	const workspace = await makeWorkspace(t, { ".copilot-ld/plugins/acts/plugin.yaml": ACTS });
	const asked: string[] = [];
	const elicit = ({ message }: { readonly message: string }) =>
		asked.push(message) > 0 && !message.includes("no; please");
	const { client, call } = await startMcp(t, { ...workspace, elicit });
	const { tools } = await client.listTools();
	const hints = tools.filter(({ name }) => name.startsWith("plugin_")).map(({ annotations }) => annotations);
	assert.deepEqual(hints, Array(3).fill({ readOnlyHint: false, openWorldHint: true }));
	await agreeToAll(workspace);
	assert.equal(textOf(await call("plugin_acts_count", { words: "a; b" })), "2\n");
	assert.match(textOf(await call("plugin_acts_count", { words: "no; please" })), /did not allow this call/);
	const wants =
		"Copilot-LD wants to use acts:count: acts:count: Run the program “node -p process.argv.length";
	assert.deepEqual(asked, [`${wants} 'a; b'”`, `${wants} 'no; please'”`]);
	assert.match(textOf(await call("plugin_acts_save", {})), /works only in VS Code/);
	assert.match(textOf(await call("plugin_acts_ask", {})), /127\.0\.0\.1:9 could not be used: ECONNREFUSED/);
	assert.match(asked.at(-1) ?? "", /acts:ask: Send GET http:\/\/127\.0\.0\.1:9\/$/);
});

const NOTES = `commands:
  - { name: rows, run: [node, -p, 'JSON.stringify({ rows: [{ name: "Anna Holm" }, { name: "no" }] })'] }
  - name: length
    parameters: { name: { type: string, asset_ref_acceptable: true } }
    run: [node, -p, "process.argv[1]", "{{name}}"]
  - name: guard
    parameters: { input: { type: string, required: false }, prompt: { type: string, required: false } }
    query: 'ASK { FILTER(CONTAINS(CONCAT(COALESCE($input, ""), COALESCE($prompt, "")), "secret")) }'
hooks:
  - { event: before_call, command: guard, tools: [search_knowledge], deny_when: "true", reason: Not of that., timeout: 30 }
  - { event: before_prompt, command: guard, deny_when: "true", timeout: 30 }
`;

const COPILOT = `${pluginHead("keeper", "title: Keeper, description: Knows names., prompt: You keep names.", "copilot")}plugins: [notes]
`;

test("without an editor, commands accept references to results, hooks refuse calls, and copilots answer", async (t) => {
	const workspace = await makeWorkspace(t, {
		...KEEPER,
		".copilot-ld/plugins/notes/plugin.yaml": NOTES,
		".copilot-ld/plugins/keeper/plugin.yaml": COPILOT,
	});
	const asked: string[] = [];
	const requests: { messages: unknown[]; tools?: { name: string }[] | undefined }[] = [];
	const input = { name: "Berit" };
	const naming = { type: "tool_use", id: "c1", name: "plugin_notes_length", input } as const;
	const program: Parameters<typeof startMcp>[1] = {
		...{ ...workspace, env: PROMPTS_ENV },
		elicit: ({ message }) => asked.push(message) > 0,
		sampleWithTools: (request) => {
			const content =
				requests.push(request) === 1 ? naming : ({ type: "text", text: "It is Berit." } as const);
			return { model: "theirs", role: "assistant", content };
		},
	};
	const { call, client } = await startMcp(t, program);
	await agreeToAll(workspace);
	await client.listTools();
	const rows = textOf(await call("plugin_notes_rows", {}));
	const [, asset = ""] = /\(this result is (asset:\/\/\d+)\)$/.exec(rows) ?? [];
	assert.notEqual(asset, "", rows);
	assert.match(textOf(await call("plugin_notes_length", { name: `${asset}/rows/0/name` })), /^Anna Holm\n/);
	assert.match(asked.at(-1) ?? "", /'Anna Holm'”$/);
	assert.match(textOf(await call("read_resource", { target: asset })), /^rows\/0\/name: "A/m);
	assert.match(textOf(await call("search_knowledge", { query: "Anna" })), /Keeper of the lamp/);
	assert.match(textOf(await call("search_knowledge", { query: "the secret" })), /refuses this\. Not of that/);
	assert.match(textOf(await call("ask", { question: "What secret?" })), /hook notes:guard refuses this/);
	assert.equal(requests.length, 0);
	assert.match(textOf(await call("plugin_keeper_ask", { question: "How long?" })), /^It is Berit\./);
	const [first, second] = requests;
	const names = first?.tools?.map(({ name }) => name) ?? [];
	assert.ok(names.includes("plugin_notes_length") && names.includes("search_knowledge"), names.join());
	assert.match(asked.at(-1) ?? "", /Berit”$/);
	assert.match(JSON.stringify(second?.messages.at(-1)), /tool_result.*"c1".*Berit/s);
});

test("handwritten rules apply, and an invalid line blocks every call that the command line does not allow", async (t) => {
	const workspace = await makeWorkspace(t, LIGHTHOUSE);
	const folder = join(workspace.dataFolder, "permissions");
	const rules = join(folder, "rules.jsonl");
	await mkdir(folder, { recursive: true });
	await writeFile(rules, '{"effect":"deny","channel":"mcp","tool":"read_resource"}\n');
	const { call, untilPaths } = await startMcp(t, workspace);
	const [search, read] = [{ query: "lamp" }, { target: "lighthouses.md" }];
	await untilPaths("lamp", (paths) => paths.includes("lighthouses.md"));
	assert.match(textOf(await call("read_resource", read)), /Not allowed by a rule/);
	await appendFile(rules, '{"effect":"dney","tool":"query_graph"}\n');
	assert.match(textOf(await call("search_knowledge", search)), /Line 2 of .*rules\.jsonl is damaged: .*dney/);
	const allowing = await startMcp(t, workspace, "--allow", "search_*");
	const instructions = allowing.client.getInstructions() ?? "";
	assert.match(instructions, /Folders: files\. 1 document, 0 files not indexed\./);
	assert.ok(!(await allowing.call("search_knowledge", search)).isError);
	assert.match(textOf(await allowing.call("read_resource", read)), /Line 2 of .* is damaged/);
});

test("--check lists skipped files and missing consents; --agree-plugin and --allow give consent", async (t) => {
	const broken = { ".github/agents/b.md": "---\nname: [x\n---\n" };
	const plugin = (text: string) => ({ ".copilot-ld/plugins/acts/plugin.yaml": text });
	const workspace = await makeWorkspace(t, { ...LIGHTHOUSE, ...plugin(ACTS) });
	const first = await runOn(workspace, "--check");
	assert.equal(first.code, 0, first.printed);
	assert.match(first.printed, /^0 agents, 1 plugins, 0 skills, 0 problems$/m);
	const [, agreement = ""] = /--agree-plugin (acts@[0-9a-f]{64})/.exec(first.printed) ?? [];
	const count = { words: "a; b" };
	const waiting = await startMcp(t, workspace, "--allow", "acts:count");
	assert.match(textOf(await waiting.call("plugin_acts_count", count)), /not agreed to the plugin acts yet/);
	const agreed = ["--agree-plugin", agreement.slice(0, "acts@".length + 16)];
	assert.doesNotMatch((await runOn(workspace, "--check", ...agreed)).printed, /to agree/);
	const { call } = await startMcp(t, workspace, ...agreed, "--allow", '{"channel":"mcp","tool":"acts:*"}');
	assert.match(textOf(await call("plugin_acts_count", count)), /^2\n/);
	await workspace.write({ ...plugin(ACTS.replace("argv.length", "argv")), ...broken });
	const second = await runOn(workspace, "--check", ...agreed);
	assert.equal(second.code, 1);
	assert.match(second.printed, /b\.md:2: error: The front matter [\s\S]*to agree to this version/);
});
