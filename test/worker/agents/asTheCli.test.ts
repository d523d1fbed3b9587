import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { cliHome } from "../../../src/loads/cliHome.ts";
import { createAgentFiles } from "../../../src/worker/agents/agentFiles.ts";
import { requestFor, runnerOn, runToEnd, startRealCli } from "../../acp/realCli.ts";
import { makeFolder } from "../../support/folder.ts";
import { never } from "../workspace.ts";

const fields = (name: string, rest = "") => `---\nname: ${name}\ndescription: x\n${rest}---\nSay FILE.`;

/** Texts of files by path; `FILE` in a text is replaced by the path. */
type Planted = Readonly<Record<string, string>>;

/** Agents that the CLI offers and that we list, for files around a repository and in a home folder. */
async function compare(t: TestContext, files: Planted, home: Planted, git = true) {
	const top = await makeFolder(t);
	const cli = await startRealCli(t, () => ({ text: ["Done."] }));
	const work = join(top, "r/m/s");
	await mkdir(work, { recursive: true });
	if (git) execFileSync("git", ["init", "--quiet", join(top, "r")]);
	const homes = { copilot: cliHome(cli.env), person: join(top, "nobody") };
	const plant = async (folder: string, planted: Planted) => {
		for (const [name, text] of Object.entries(planted)) {
			await mkdir(dirname(join(folder, name)), { recursive: true });
			await writeFile(join(folder, name), text.replace("FILE", join(folder, name)));
		}
	};
	await Promise.all([plant(top, files), plant(homes.copilot, home)]);
	const session = await cli.sessions.create({ cwd: work, mcpServers: [] });
	const option = session.options().find(({ id }) => id === "agent");
	const offered = (option?.choices ?? []).map(({ value }) => value).filter((value) => value !== "");
	const folders = [{ uri: pathToFileURL(work).href, name: "s" }];
	const agentFiles = createAgentFiles({ folders, homes });
	const { agents } = await agentFiles.registry(never);
	return { cli, work, offered, agentFiles, agents };
}

const forms: Planted = {
	...Object.fromEntries(
		Object.entries({
			plain: "",
			blocks: "tools:\n  - view\n  - grep\n",
			commas: "tools: view, grep\n",
			none: "tools: []\n",
			models: "model: [a, b]\n",
			numberedmodel: "model: 5\n",
			maybe: "infer: maybe\n",
			never: "infer: false\nuser-invocable: false\n",
			quoted: 'disable-model-invocation: "true"\n',
			handed: "handoffs:\n  - agent: plain\n    label: Go\n    prompt: Go\n    send: true\n",
			badhandoffs: "handoffs: 5\n",
			server: "mcp-servers:\n  a: { command: 'true', args: [], tools: ['*'] }\n",
			webserver: "mcp-servers:\n  a: { type: http, url: 'http://127.0.0.1:1', tools: ['*'] }\n",
			shortserver: "mcp-servers:\n  a: { command: 'true' }\n",
			typeless: "mcp-servers:\n  a: { url: 'http://127.0.0.1:1', tools: ['*'] }\n",
			badserver: "mcp-servers: [a]\n",
			vscode: "target: vscode\n",
			moon: "target: moon\n",
			words: "keywords: [a, b]\n",
			hint: "argument-hint: x\n",
			odd: "zzz: 1\n",
			numbered: "tools: [1]\n",
			empty: "tools:\n",
			twice: "name: twice\n",
			aliased: "color: &a x\nversion: *a\n",
			tagged: "color: !!js/function x\n",
			broken: "color: [x\n",
			deep: `color: ${"[".repeat(40)}${"]".repeat(40)}\n`,
		}).map(([name, rest]) => [`r/m/s/.github/agents/${name}.md`, fields(name, rest)]),
	),
	"r/m/s/.github/agents/bom.md": `\uFEFF${fields("bom")}`,
	"r/m/s/.github/agents/crlf.md": fields("crlf").replaceAll("\n", "\r\n"),
	"r/m/s/.github/agents/noname.agent.md": "---\ndescription: x\n---\n",
	"r/m/s/.github/agents/sub/deep/noname.md": "---\ndescription: x\n---\n",
	"r/m/s/.github/agents/nodescription.md": "---\nname: nodescription\n---\n",
	"r/m/s/.github/agents/emptydescription.md": "---\nname: emptydescription\ndescription: ''\n---\n",
	"r/m/s/.github/agents/numbername.md": fields("123"),
	"r/m/s/.github/agents/words.agent.md": fields("C#/.NET Janitor"),
	"r/m/s/.github/agents/way.md": fields("../a"),
	"r/m/s/.github/agents/c.chatmode.md": "---\ndescription: x\n---\n",
	"r/m/s/.github/agents/text.md": "Just text",
	"r/m/s/.github/agents/README.md": "# Agents",
	"r/m/s/.github/agents/unended.md": "---\nname: unended\ndescription: x\n",
	"r/m/s/.github/agents/.hidden.md": fields("hidden"),
	"r/m/s/.github/agents/.dir/x.md": fields("hiddenfolder"),
	"r/m/s/.github/agents/node_modules/x.md": fields("inmodules"),
	"r/m/s/.github/agents/folder.agent.md/inner.md": fields("inner"),
	"r/m/s/.github/agents/upper.MD": fields("upperending"),
	"r/m/s/.github/agents/text.txt": fields("txt"),
	"r/.claude/agents/claude.md": fields("claude", "color: red\n"),
};

test("the listed agents are the agents that the CLI offers, for files in all forms", async (t) => {
	const { offered, agents } = await compare(t, forms, { "agents/own.md": fields("own") });
	assert.deepEqual(agents.map(({ name }) => name).sort(), offered.sort());
});

const PLACES = ["agents/dup.md", "agents/dup.agent.md", "agents/sub/dup.md"].map((name) => `.github/${name}`);
PLACES.push(".claude/agents/dup.md");
const LEVELS = ["", "r/", "r/m/", "r/m/s/"];

for (const git of [true, false])
	test(`of several agents with a common name, the agent that the CLI takes is listed, ${git ? "in" : "without"} git`, async (t) => {
		// Without a repository, the CLI searches all folders above.
		const all = (git ? LEVELS : ["", "r/m/s/"]).flatMap((level) => PLACES.map((place) => level + place));
		const planted = Object.fromEntries(all.map((name) => [name, fields("dup")]));
		const home = { "agents/dup.md": fields("dup") };
		const { cli, work, agentFiles } = await compare(t, planted, home, git);
		let taken = 0;
		// Delete the first agent until none is left: the user's own come before those of the repository.
		for (; ; taken++) {
			const session = await cli.sessions.create({ cwd: work, mcpServers: [] });
			const [agent] = (await agentFiles.registry(never)).agents;
			if (!agent) break;
			await session.setOption("agent", "dup");
			await runToEnd(runnerOn(cli, session), requestFor("Go"));
			const asked = cli.model.requests.at(-1)?.whole ?? "";
			assert.ok(asked.includes(agent.persona), `the CLI took another than ${agent.source.uri}`);
			await rm(fileURLToPath(agent.source.uri));
		}
		assert.equal(taken, git ? 13 : 9);
	});
