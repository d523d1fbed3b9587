import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../../src/base/failure.ts";
import type { StepEngine } from "../../../src/core/agent/tool.ts";
import { chooseSteps } from "../../../src/vscode/steps/stepRunner.ts";

const engine = (kind: StepEngine["kind"]): StepEngine => ({
	kind,
	runnerFor: () => () => {
		throw new Error("Nothing runs here.");
	},
});

type Trouble = { readonly cli?: Failure; readonly model?: Failure };

async function choose(wanted: Parameters<typeof chooseSteps>[0], trouble: Trouble = {}): Promise<string> {
	const chosen = chooseSteps(wanted, {
		cli: {
			find: async () => {
				if (trouble.cli) throw trouble.cli;
			},
			engine: async () => ({ steps: engine("cli") }),
		},
		model: async () => {
			if (trouble.model) throw trouble.model;
			return engine("model");
		},
	});
	return chosen.then(({ kind }) => kind).catch(({ code, message }: Failure) => `${code}: ${message}`);
}

const missing = new Failure("CLI_MISSING", "Install it.");

test("steps run on the CLI where it is there, else on a model, or on what the person set", async () => {
	assert.equal(await choose("auto"), "cli");
	assert.equal(await choose("auto", { cli: missing }), "model");
	assert.equal(await choose("auto", { cli: new Failure("CLI_OLD", "Update it.") }), "model");
	assert.equal(await choose("cli", { cli: missing }), "CLI_MISSING: Install it.");
	assert.equal(await choose("model"), "model");
});

test("where there is neither, the failure is that of the CLI, and says that a model would do", async () => {
	const none = new Failure("NO_MODEL", "None.");
	const chosen = await choose("auto", { cli: missing, model: none });
	assert.match(chosen, /^CLI_MISSING: Install it\..*a language model/);
	assert.equal(await choose("model", { model: none }), "NO_MODEL: None.");
});

test("a CLI that is there and may not be used is not gone around", async () => {
	assert.match(await choose("auto", { cli: new Failure("UNTRUSTED", "No.") }), /^UNTRUSTED/);
});
