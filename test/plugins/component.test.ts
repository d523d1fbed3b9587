import assert from "node:assert/strict";
import { test } from "node:test";
import { foundPlugin } from "./foundPlugin.ts";

const COMPONENT = `group_id: org.example
artifact_id: lit
version: 1.0.0
type: interactor
as_plugin: true
setup:
  pip: [requests]
  package: org.example.lit
url: https://example.org
developers: [me]
licenses: [MIT]
info: { title: Lit, description: D, description_for_human: H, description_for_model: M, prompt: P }
commands:
  - command_name: tell
    description: Tells.
    parameter:
      type:
        all: { type: List, description: x, required: true, example: [1] }
        one: { type: { _type_ref: ref, k: { type: int } } }
        same: { type: ref, required: false }
        given: { type: asset_ref }
      required: true
      asset_ref_acceptable: false
    response: { type: { text: { type: string, optional: false } } }
    executor: { kind: prompt, template: "{{all}}{{one}}{{same}}{{given}}", max_tokens: 500, temperature: 0 }
config:
  interactor: { group_id: a, artifact_id: b, version: 1.0.0, config: { key1: v } }
  resources:
    - { type: model, name: null, config: { name: small, max_tokens: 5 } }
`;

test("a component as the contract has it is read, and what has no effect is named at its line", () => {
	const { manifest, problems } = foundPlugin("lit", COMPONENT);
	assert.deepEqual(
		problems.map(({ line, severity, message }) => `${line} ${severity}: ${message}`),
		[
			"4 warning: “interactor” has no effect: the file is read as a plugin.",
			"6 warning: No packages are installed or loaded: a command names its executor.",
			"29 warning: “max_tokens” has no effect here.",
			"25 warning: “max_tokens” has no effect here.",
			"25 warning: “temperature” has no effect here.",
		],
	);
	const given = manifest?.commands[0]?.parameters.at(-1);
	assert.deepEqual([given?.type.kind, given?.takesRefs], ["any", true]);
});
