import assert from "node:assert/strict";
import { test } from "node:test";
import type { ConfigOption } from "../../../src/acp/turn/session/configOptions.ts";
import { chosenOptions, findChoice, optionsLine, readWanted } from "../../../src/vscode/cli/chosenOptions.ts";
import { assertMapped } from "../../support/assertMapped.ts";

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

test("what stands before the question is chosen, and the rest is asked", () => {
	assert.deepEqual(readWanted(' agent:"Lamp Keeper" Mode:plan  Why agent:x?'), {
		wanted: Object.entries({ agent: "Lamp Keeper", mode: "plan" }).map(([id, value]) => ({ id, value })),
		question: "Why agent:x?",
	});
	assert.deepEqual(readWanted("model:gpt"), { wanted: [{ id: "model", value: "gpt" }], question: "" });
	for (const question of ["Modes: which?", "agent: who?", "/compact", "allow_all:on do it", "mode:"])
		assert.deepEqual(readWanted(question), { wanted: [], question });
});

test("a choice is found by its name or its value, however it is written", () => {
	for (const value of ["lamp-keeper", "LAMP KEEPER", "lamp:keeper", "Lamp_Keeper"])
		assert.deepEqual(findChoice(options, { id: "agent", value }), { id: "agent", value: "lamp:keeper" });
	assert.equal(findChoice(options, { id: "mode", value: "plan" }).value, `${MODE}plan`);
});

test("a choice that is not there is told of with those that are", () => {
	assert.throws(() => findChoice(options, { id: "mode", value: "sleep" }), {
		code: "BAD_INPUT",
		message: "This session has no mode “sleep”. Available: Agent, Plan.",
	});
	assert.throws(() => findChoice(options, { id: "model", value: "gpt" }), /model cannot be chosen/);
});

test("the switch that allows all is nothing to choose", () => {
	assertMapped(chosenOptions(options), ({ id }) => id, ["agent", "mode"]);
	assert.throws(() => findChoice(options, { id: "allow_all", value: "on" }), { code: "BAD_INPUT" });
	assert.equal(optionsLine(options), "Agent: Copilot · Mode: Agent");
});
