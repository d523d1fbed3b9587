import assert from "node:assert/strict";
import type { FileProblem } from "../../src/core/fileProblem.ts";
import { readManifest } from "../../src/plugins/manifest/readManifest.ts";

/** The component template of ConCopilot's guide, with an executor instead of its Python package. */
export const EXAMPLE = `group_id: org.example
artifact_id: example-plugin
version: 0.0.0-SNAPSHOT

type: plugin
as_plugin: true

info: { title: Example, description: Shows a file., description_for_human: For people.,
  description_for_model: For models. }
commands:
  - command_name: command_1
    description: The first one
    parameter:
      type:
        param_name_1:
          { type: string, description: The first one, enum: [one, two], required: true, example: one,
            asset_ref_acceptable: false }
        param_name_2: { type: "List[int]", required: false, example: [1, 2] }
        param_name_3:
          type: [{ name: element_field_name1, type: int, description: The first field, required: true, example: 1 },
            { name: element_field_name2, type: string, required: true }]
        param_name_4: { type: "Dict[str, int]", required: false }
        param_name_5: { description: A pair, type: { _type_ref: pair, key_name_1: { type: int }, key_name_2: { type: string } } }
        param_name_6: { type: pair, required: false }
      description: All of it
      required: true
    response:
      type:
        response_field_name_1: { type: string, description: What came of it, optional: false }
        response_field_name_2: { type: string, optional: true }
    executor:
      kind: prompt
      template: "{{param_name_1}} {{param_name_2}} {{param_name_3}} {{param_name_4}} {{param_name_5}} {{param_name_6}}"
  - command_name: command_2
    description: The second one
    parameter: { type: string }
    executor: { kind: retrieval, query: "{{param}}", limit: 3 }

licenses: [{ name: Apache-2.0 }]
config: { key1: value }
`;

export function foundPlugin(name: string, text: string, level: "workspace" | "user" = "workspace") {
	const uri = `file:///kb/.copilot-ld/plugins/${name}/plugin.yaml`;
	return { ...readManifest(text, { uri, name }), source: { uri, level } };
}

/** Asserts that each change of a file causes its own problem. */
export function assertWrong(
	file: string,
	changes: readonly (readonly [from: string | RegExp, to: string, problem: RegExp])[],
): void {
	assert.deepEqual(problemsIn(file), []);
	for (const [from, to, expected] of changes) {
		const problems = problemsIn(file.replace(from, to));
		const isTold = problems.some((problem) => expected.test(problem));
		assert.ok(isTold, `${to}: ${problems.join("\n") || "none"}`);
	}
}

export function problemsIn(text: string, name = "small"): string[] {
	return foundPlugin(name, text).problems.map(problemText);
}

export const problemText = ({ line, severity, message }: FileProblem) => `${line} ${severity}: ${message}`;
