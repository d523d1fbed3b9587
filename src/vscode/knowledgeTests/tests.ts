import type * as vscode from "vscode";
import type { Asker, TestDeps } from "./testDeps.ts";
import { runAgain, runOnce } from "./testRuns.ts";
import { createTestTree } from "./testTree.ts";

/** Reads and runs the tests of a controller. */
export interface Tests {
	read(): Promise<void>;
	run(asker: Asker, request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void>;
}

export function createTests(
	deps: TestDeps & { readonly controller: vscode.TestController; readonly glob: string },
): Tests {
	const { read, testOf } = createTestTree(deps.controller, deps.glob);
	return {
		read,
		run: (asker, request, token) => {
			const run = request.continuous ? runAgain : runOnce;
			return run({ ...deps, testOf, asker, request }, token);
		},
	};
}
