import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { ConfigOption, SlashCommand } from "../../../src/acp/turn/session/cliSession.ts";
import type { AgentEvent } from "../../../src/core/agent/agentEvent.ts";
import type { PermissionRule } from "../../../src/core/permission/permission.ts";
import { findChoice, optionsLine, readWanted } from "../../../src/vscode/cli/chosenOptions.ts";
import { chooseCliCommand, showCliCommands } from "../../../src/vscode/cli/cliAnswer.ts";
import { noteUse, startCliAhead } from "../../../src/vscode/cli/cliState.ts";
import { createCliEventView } from "../../../src/vscode/cli/eventView.ts";
import { areLoadsConfirmed, confirmLoads } from "../../../src/vscode/cli/program.ts";
import { hook, writeIn } from "../../acp/loads/writeIn.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { createFakePermissions } from "../../support/fakePermissions.ts";
import { commands, press, window, workspace } from "../../support/fakeVscode.ts";
import { makeFolder } from "../../support/folder.ts";
import { memento } from "../../support/memento.ts";

const MODE = "https://agentclientprotocol.com/protocol/session-modes#";
const option = (id: string, name: string, value: string, choices: Record<string, string>): ConfigOption => ({
	...{ id, name, value },
	choices: Object.entries(choices).map(([value, name]) => ({ value, name })),
});
const options = [
	option("agent", "Agent", "", { "": "Copilot", "lamp:keeper": "Lamp Keeper" }),
	option("mode", "Mode", `${MODE}agent`, { [`${MODE}agent`]: "Agent", [`${MODE}plan`]: "Plan" }),
	option("allow_all", "Allow All", "off", { on: "On" }),
];

test("options before a question are set, and the question is asked without the options", () => {
	assert.deepEqual(readWanted(' agent:"Lamp Keeper" Mode:plan  Why agent:x?'), {
		wanted: Object.entries({ agent: "Lamp Keeper", mode: "plan" }).map(([id, value]) => ({ id, value })),
		question: "Why agent:x?",
	});
	assert.deepEqual(readWanted("model:gpt"), { wanted: [{ id: "model", value: "gpt" }], question: "" });
	for (const question of ["Modes: which?", "agent: who?", "/compact", "allow_all:on do it", "mode:"])
		assert.deepEqual(readWanted(question), { wanted: [], question });
});

test("a choice is found by name or value, except “Allow All”; the error for an unknown choice lists the choices", () => {
	for (const value of ["lamp-keeper", "LAMP KEEPER", "lamp:keeper", "Lamp_Keeper"])
		assert.deepEqual(findChoice(options, { id: "agent", value }), { id: "agent", value: "lamp:keeper" });
	assert.equal(findChoice(options, { id: "mode", value: "plan" }).value, `${MODE}plan`);
	const message = "This session has no mode “sleep”. Available: Agent, Plan.";
	assert.throws(() => findChoice(options, { id: "mode", value: "sleep" }), { code: "BAD_INPUT", message });
	assert.throws(() => findChoice(options, { id: "model", value: "gpt" }), /model cannot be chosen/);
	assert.throws(() => findChoice(options, { id: "allow_all", value: "on" }), { code: "BAD_INPUT" });
	assert.equal(optionsLine(options), "Agent: Copilot · Mode: Agent");
});

const ANNOUNCED: readonly SlashCommand[] = [
	{ name: "usage", description: "Display usage" },
	{ name: "compact", description: "Shorten\nthe [history](command:x)" },
	{ name: "x`\n[press](command:y)", description: "Brought along by a folder" },
];
const cli = { commands: async () => ANNOUNCED };

test("a chosen CLI command is written to the chat input and not sent", async () => {
	let offered: readonly { readonly label: string }[] = [];
	window.showQuickPick = async (items) => {
		offered = items as typeof offered;
		return offered[0];
	};
	const executed: unknown[] = [];
	commands.executeCommand = async (...args) => void executed.push(...args);
	await chooseCliCommand(cli);
	assertMapped(offered, ({ label }) => label, ["/compact", "/usage"]);
	const query = "@copilot-ld /cli /compact ";
	assert.deepEqual(executed, ["workbench.action.chat.open", { query, isPartialQuery: true }]);
});

test("the list of commands shows the CLI's descriptions as plain text", async () => {
	const texts: string[] = [];
	await showCliCommands(cli, {
		markdown: (words: string) => texts.push(words),
		button: () => undefined,
	} as never);
	const text = texts.join("");
	assert.match(text, /- `\/cli \/compact` Shorten the \\\[history\\\]\(command:x\)\n- `\/cli \/usage`/);
	assert.doesNotMatch(text, /press/);
});

const call = (id: string) => ({ id, name: "shell", input: { command: "make" } });
const started = (id: string): AgentEvent => ({ kind: "toolStarted", call: call(id), title: "Builds" });
const updated = (text: string, id = "a"): AgentEvent => ({ kind: "toolUpdated", call: call(id), text });
const finished = (text: string, id = "a"): AgentEvent => ({
	...{ kind: "toolFinished", call: call(id), ok: true, text, exitCode: 0 },
});

/** Plays events of a turn; returns the text and buttons in the chat, with `…` for progress. */
function play(events: readonly AgentEvent[]): { readonly text: string; readonly parts: readonly string[] } {
	const parts: string[] = [];
	const stream = {
		markdown: (text: string) => void parts.push(text),
		progress: () => void parts.push("…"),
		button: ({ title }: { title: string }) => void parts.push(`[${title}]`),
	};
	const view = createCliEventView(stream as never);
	for (const event of events) {
		view.before(event);
		if (event.kind === "text") stream.markdown(event.text);
		view.show(event);
	}
	view.end();
	return { text: parts.join(""), parts };
}

const FENCE = "````````";

test("growing output is shown with each line once; output of a call that ends at once is one block", () => {
	const atOnce = "\n\n✓ shell: ` make ` · exit code 0\n\n```text\nhi\n```\n\n";
	assert.equal(play([finished("hi")]).text, atOnce);
	const events = [started("a"), updated("one\n"), updated("one\ntwo\nthr"), finished("one\ntwo\nthree")];
	const { text, parts } = play(events);
	assert.deepEqual(parts.slice(2, 4), ["one\n", "two\n"]);
	const ended = "✓ Builds: ` make ` · exit code 0";
	const block = `${FENCE}text\none\ntwo\nthree\n${FENCE}`;
	assert.equal(text, `…\n\n● Builds: \` make \`\n\n${block}\n\n\n\n${ended}\n\n`);
});

test("text during a command ends the output block; overwritten output is shown in its final form", () => {
	const apart = play([updated("one\n"), { kind: "text", text: "Meanwhile." }, updated("one\ntwo\n")]);
	assert.match(apart.text, /one\n`{8}\n\nMeanwhile\.\n\n● .*\n\n`{8}text\ntwo\n`{8}\n\n$/s);
	const over = play([updated("10 %\n"), updated("20 %\n"), finished("100 %")]);
	assert.match(over.text, /10 %\n`{8}[\s\S]*```text\n100 %\n```/);
});

test("of two concurrent commands, the first is shown while running, and the second after its end", () => {
	const right = [updated("right\nmore\n", "b"), finished("right\nmore", "b")];
	const { text } = play([updated("left\n"), updated("right\n", "b"), finished("left"), ...right]);
	assert.deepEqual(text.match(/left|right/g), ["left", "right"]);
});

test("no line of a command's output can close the output block", () => {
	const { text } = play([updated(`${FENCE}\n[press](command:x)\n  ${FENCE}${FENCE}\n`), finished("")]);
	const lines = text.split("\n");
	assert.equal(lines.filter((line) => /^ {0,3}`{8,}\s*$/.test(line)).length, 1);
	assert.ok(text.indexOf("command:x") < text.lastIndexOf(FENCE));
});

test("very long output is cut to its last lines, with a button that shows the full output", () => {
	const lines = Array.from({ length: 600 }, (_, at) => `line ${at}`);
	const events = lines.map((_, at) => updated(`${lines.slice(0, at + 1).join("\n")}\n`));
	const { text, parts } = play([...events, finished(lines.join("\n"))]);
	assert.ok(text.split("\n").length < 250);
	assert.match(text, /line 599/);
	assert.equal(parts.at(-1), "[Show Full Output]");
});

test("a plan shows all steps once, and later only changed steps", () => {
	const plan = (...statuses: ("pending" | "running" | "done")[]): AgentEvent => ({
		...{ kind: "plan", text: "" },
		steps: statuses.map((status, at) => ({ title: `Step ${at}`, status })),
	});
	const { parts } = play([plan("pending", "pending"), plan("running", "pending"), plan("done", "pending")]);
	assertMapped(parts, (part) => part.trim(), ["- ○ Step 0\n- ○ Step 1", "- ● Step 0", "- ✓ Step 0"]);
});

// Keeps the developer's own CLI settings out of these tests.
process.env["COPILOT_HOME"] = "/nowhere";

const writeHook = (folder: string, bash: string) => writeIn(folder, ".github/hooks/a.json", hook(bash));

test("the user is asked once about the files that the CLI loads from a folder, and again after changes", async (t) => {
	const folder = await makeFolder(t);
	const state = memento();
	const shown = press("Load and Continue");
	const confirm = async () => {
		const before = await areLoadsConfirmed(folder, state);
		await confirmLoads(folder, state);
		return [before, await areLoadsConfirmed(folder, state), shown.length];
	};
	assert.deepEqual(await confirm(), [true, true, 0]);
	await writeHook(folder, "true");
	assert.deepEqual(await confirm(), [false, true, 1]);
	assert.deepEqual(await confirm(), [true, true, 1]);
	assert.deepEqual(shown, ["Hook .github/hooks/a.json: preToolUse runs true"]);
	await writeHook(folder, "false");
	assert.deepEqual(await confirm(), [false, true, 2]);
});

test("the CLI does not start in a refused or untrusted folder, and the user is asked again next time", async (t) => {
	const folder = await makeFolder(t);
	const state = memento();
	await writeHook(folder, "true");
	press(undefined);
	await assert.rejects(confirmLoads(folder, state), { code: "UNTRUSTED" });
	const shown = press("Load and Continue");
	distrust(t);
	await assert.rejects(confirmLoads(folder, state), { code: "UNTRUSTED" });
	assert.deepEqual(shown, []);
	workspace.isTrusted = true;
	await confirmLoads(folder, state);
	assert.equal(shown.length, 1);
});

test("only the user's rule for starting the CLI replaces the question; any rule can deny the start", async (t) => {
	const folder = await makeFolder(t);
	await writeHook(folder, "true");
	const shown = press("Load and Continue");
	const confirm = async (...rules: Partial<PermissionRule>[]) => {
		const permissions = createFakePermissions(rules);
		await confirmLoads(folder, memento(), { permissions, workspace: "file:///w" });
		return permissions.log.map(({ effect, request }) => `${effect} ${request.tool}`);
	};
	const ofFolder = { tool: "start_cli", origin: "settings", scope: "workspace", owner: "file:///w" } as const;
	assert.deepEqual(await confirm({ tool: "start_cli" }), ["allow start_cli"]);
	assert.equal(shown.length, 0);
	await confirm({});
	await confirm({ channel: "cli" });
	await confirm(ofFolder);
	assert.equal(shown.length, 3, "the person is asked");
	await assert.rejects(confirm({ effect: "deny", channel: "cli" }), { code: "UNTRUSTED" });
	await assert.rejects(confirm({ ...ofFolder, effect: "deny" }), { code: "UNTRUSTED" });
	assert.equal(shown.length, 3);
});

function distrust(t: TestContext): void {
	workspace.isTrusted = false;
	t.after(() => Object.assign(workspace, { isTrusted: true }));
}

test("a long dialog about loaded files is shortened, with a button that shows all text before the answer", async (t) => {
	const folder = await makeFolder(t);
	await writeHook(folder, `echo ${"x".repeat(2000)}`);
	const text = JSON.stringify({ hooks: { x: [{ bash: "y" }] } });
	for (let n = 0; n < 40; n++) await writeFile(join(folder, ".github/hooks", `b${n}.json`), text);
	const asked: unknown[][] = [];
	window.showWarningMessage = async (...args) => {
		asked.push(args);
		return asked.length === 1 ? "Show All" : "Load and Continue";
	};
	let whole = "";
	workspace.openTextDocument = async (what) => {
		if ("content" in what) whole = what.content;
		return {};
	};
	await confirmLoads(folder, memento());
	const detail = String(Object.values(asked[0]?.[1] ?? {}).at(-1));
	assert.ok(detail.length < 12_000);
	assert.match(detail, /more characters: Show All[\s\S]*… and \d+ more: Show All$/);
	assert.equal(whole.split("\n\n").length, 41);
	assert.deepEqual(asked[1]?.slice(1), ["Load and Continue"]);
});

function startsIn(t: TestContext, state: ReturnType<typeof memento>): number {
	t.mock.timers.reset();
	t.mock.timers.enable({ apis: ["setTimeout"] });
	let starts = 0;
	startCliAhead({ startAhead: async () => void starts++ }, { state, log: { warn: () => assert.fail() } });
	assert.equal(starts, 0);
	t.mock.timers.tick(60_000);
	return starts;
}

test("the CLI is started ahead only in trusted workspaces with an earlier use of the CLI", async (t) => {
	const state = memento();
	assert.equal(startsIn(t, state), 0);
	await noteUse(state);
	assert.equal(startsIn(t, state), 1);
	distrust(t);
	assert.equal(startsIn(t, state), 0);
});
