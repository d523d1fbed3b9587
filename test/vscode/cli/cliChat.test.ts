import assert from "node:assert/strict";
import { test } from "node:test";
import type { SlashCommand } from "../../../src/acp/turn/session/cliSession.ts";
import type { ConfigOption } from "../../../src/acp/turn/session/configOptions.ts";
import type { AgentEvent } from "../../../src/core/agent/agentEvent.ts";
import { findChoice, optionsLine, readWanted } from "../../../src/vscode/cli/chosenOptions.ts";
import { chooseCliCommand, showCliCommands } from "../../../src/vscode/cli/cliAnswer.ts";
import { createCliEventView } from "../../../src/vscode/cli/eventView.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { commands, window } from "../../support/fakeVscode.ts";

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

test("options before a question are set, and the rest is asked", () => {
	assert.deepEqual(readWanted(' agent:"Lamp Keeper" Mode:plan  Why agent:x?'), {
		wanted: Object.entries({ agent: "Lamp Keeper", mode: "plan" }).map(([id, value]) => ({ id, value })),
		question: "Why agent:x?",
	});
	assert.deepEqual(readWanted("model:gpt"), { wanted: [{ id: "model", value: "gpt" }], question: "" });
	for (const question of ["Modes: which?", "agent: who?", "/compact", "allow_all:on do it", "mode:"])
		assert.deepEqual(readWanted(question), { wanted: [], question });
});

test("a choice is found by name or value, and an unknown choice fails with the available ones", () => {
	for (const value of ["lamp-keeper", "LAMP KEEPER", "lamp:keeper", "Lamp_Keeper"])
		assert.deepEqual(findChoice(options, { id: "agent", value }), { id: "agent", value: "lamp:keeper" });
	assert.equal(findChoice(options, { id: "mode", value: "plan" }).value, `${MODE}plan`);
	const message = "This session has no mode “sleep”. Available: Agent, Plan.";
	assert.throws(() => findChoice(options, { id: "mode", value: "sleep" }), { code: "BAD_INPUT", message });
	assert.throws(() => findChoice(options, { id: "model", value: "gpt" }), /model cannot be chosen/);
});

test("“Allow All” cannot be chosen as an option", () => {
	assert.throws(() => findChoice(options, { id: "allow_all", value: "on" }), { code: "BAD_INPUT" });
	assert.equal(optionsLine(options), "Agent: Copilot · Mode: Agent");
});

const ANNOUNCED: readonly SlashCommand[] = [
	{ name: "usage", description: "Display usage" },
	{ name: "compact", description: "Shorten\nthe [history](command:x)" },
	{ name: "x`\n[press](command:y)", description: "Brought along by a folder" },
];
const cli = { commands: async () => ANNOUNCED };

test("a chosen command is written to the chat input and not sent", async () => {
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

test("text in between ends the output block, and overwritten output is shown in its final form", () => {
	const apart = play([updated("one\n"), { kind: "text", text: "Meanwhile." }, updated("one\ntwo\n")]);
	assert.match(apart.text, /one\n`{8}\n\nMeanwhile\.\n\n● .*\n\n`{8}text\ntwo\n`{8}\n\n$/s);
	const over = play([updated("10 %\n"), updated("20 %\n"), finished("100 %")]);
	assert.match(over.text, /10 %\n`{8}[\s\S]*```text\n100 %\n```/);
});

test("of two concurrent commands, one is shown while it runs, and the other when it ends", () => {
	const right = [updated("right\nmore\n", "b"), finished("right\nmore", "b")];
	const { text } = play([updated("left\n"), updated("right\n", "b"), finished("left"), ...right]);
	assert.deepEqual(text.match(/left|right/g), ["left", "right"]);
});

test("no line of the output can close its block", () => {
	const { text } = play([updated(`${FENCE}\n[press](command:x)\n  ${FENCE}${FENCE}\n`), finished("")]);
	const lines = text.split("\n");
	assert.equal(lines.filter((line) => /^ {0,3}`{8,}\s*$/.test(line)).length, 1);
	assert.ok(text.indexOf("command:x") < text.lastIndexOf(FENCE));
});

test("very long output is cut to its last lines, with a button that shows all of it", () => {
	const lines = Array.from({ length: 5000 }, (_, at) => `line ${at}`);
	const events = lines.map((_, at) => updated(`${lines.slice(0, at + 1).join("\n")}\n`));
	const { text, parts } = play([...events, finished(lines.join("\n"))]);
	assert.ok(text.split("\n").length < 250);
	assert.match(text, /line 4999/);
	assert.equal(parts.at(-1), "[Show Full Output]");
});

test("a plan shows all steps once, then only changed ones", () => {
	const plan = (...statuses: ("pending" | "running" | "done")[]): AgentEvent => ({
		...{ kind: "plan", text: "" },
		steps: statuses.map((status, at) => ({ title: `Step ${at}`, status })),
	});
	const { parts } = play([plan("pending", "pending"), plan("running", "pending"), plan("done", "pending")]);
	assertMapped(parts, (part) => part.trim(), ["- ○ Step 0\n- ○ Step 1", "- ● Step 0", "- ✓ Step 0"]);
});
