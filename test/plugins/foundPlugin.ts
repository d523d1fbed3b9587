import assert from "node:assert/strict";
import type { FoundManifest } from "../../src/plugins/manifest/assemble.ts";
import { readManifest } from "../../src/plugins/manifest/readManifest.ts";

export function foundPlugin(
	name: string,
	text: string,
	level: "workspace" | "user" = "workspace",
): FoundManifest {
	const uri = `file:///kb/.copilot-ld/plugins/${name}/plugin.yaml`;
	return { ...readManifest(text, { uri, name }), source: { uri, level } };
}

/** Asserts that each change of a file is wrong in its own way. */
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
	return foundPlugin(name, text).problems.map(
		({ line, severity, message }) => `${line} ${severity}: ${message}`,
	);
}
