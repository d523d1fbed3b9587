import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, test } from "node:test";
import { createChannelRunner } from "../../../src/agent/loop/tracedAgent.ts";
import type { Knowledge } from "../../../src/core/knowledge/knowledge.ts";
import { type CliChatSessions, createCliChatSessions } from "../../../src/vscode/cli/chatSessions.ts";
import { type CliSessionMap, createCliSessionMap } from "../../../src/vscode/cli/cliState.ts";
import { runnersForCli } from "../../../src/vscode/cli/link.ts";
import { answerOf, requestFor, runnerOn, runToEnd, startRealCli } from "../../acp/realCli.ts";
import { answering } from "../../mcp/scriptedTool.ts";
import { fakeModel } from "../../support/fakeModel.ts";
import { createFakePermissions } from "../../support/fakePermissions.ts";
import { press, Uri, workspace } from "../../support/fakeVscode.ts";
import { makeFolder } from "../../support/folder.ts";
import { memento } from "../../support/memento.ts";
import { wholeFile } from "../../support/wholeFile.ts";

const file = wholeFile();
const cli = await startRealCli(file, () => ({ text: ["All well."] }));
const here = await makeFolder(file);
workspace.workspaceFolders = [{ uri: Uri.file(here), name: "here" }];

describe("the CLI session of a chat", () => {
	let known: CliSessionMap;
	let chats: CliChatSessions;
	beforeEach(() => {
		known = createCliSessionMap(memento());
		const own = { state: memento(), known, permissions: createFakePermissions() };
		chats = createCliChatSessions({ ...cli, ...own, mcpAccess: async () => [] });
	});

	async function makeSession(cwd: string): Promise<string> {
		const session = await cli.sessions.create({ cwd, mcpServers: [] });
		await runToEnd(runnerOn(cli, session), requestFor("Hello"));
		await cli.sessions.close(session.id);
		await known.set("chat", session.id);
		return session.id;
	}

	const noReport = () => undefined;
	const cwdOnDisk = async (id: string) => {
		const text = await readFile(join(cli.files.folderOf(id), "workspace.yaml"), "utf8");
		return /^cwd: (.*)$/m.exec(text)?.[1];
	};

	test("continues in its own folder once the user agrees to a folder outside the workspace", async () => {
		const id = await makeSession(cli.work);
		const shown = press("Continue There");
		const { session, workspace: rules } = await chats.open("chat", here, noReport);
		assert.match(shown.join(), new RegExp(cli.work));
		assert.equal(rules, `file://${cli.work}`);
		assert.ok(answerOf(await runToEnd(runnerOn(cli, session), requestFor("/cwd"))).includes(cli.work));
		assert.equal(await cwdOnDisk(id), cli.work);
		await chats.open("chat", here, noReport);
		assert.equal(shown.length, 1);
	});

	test("is neither loaded nor changed if the user refuses the session's folder or the target of a link", async () => {
		const link = join(here, "link");
		await symlink(cli.work, link);
		for (const cwd of [cli.work, link]) {
			const id = await makeSession(cwd);
			const before = await cwdOnDisk(id);
			const shown = press(undefined);
			await assert.rejects(chats.open("chat", here, noReport), { code: "UNTRUSTED" });
			assert.deepEqual([shown.length, await cwdOnDisk(id)], [1, before]);
		}
	});

	test("needs no consent in the workspace, uses the workspace's rules, and belongs to a single chat", async () => {
		const id = await makeSession(here);
		const shown = press(undefined);
		const { session, workspace: rules } = await chats.open("chat", here, noReport);
		assert.deepEqual([session.id, rules], [id, `file://${here}`]);
		assert.notEqual((await chats.open("other", here, noReport)).session.id, id);
		assert.deepEqual(shown, []);
	});

	test("fails if its folder is gone, and stays bound to its chat", async () => {
		const gone = await mkdtemp(join(here, "gone-"));
		const id = await makeSession(gone);
		await rm(gone, { recursive: true });
		await assert.rejects(chats.open("chat", here, noReport), { code: "NO_FOLDER" });
		assert.equal(known.get("chat"), id);
	});

	test("is replaced by a new session, with a message, if its files are gone", async () => {
		await known.set("chat", "11111111-1111-4111-8111-111111111111");
		const told: string[] = [];
		const { session } = await chats.open("chat", here, (text) => told.push(text));
		assert.match(told.join(), /no longer exists; a new one is started/);
		assert.equal(session.cwd, here);
	});
});

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
