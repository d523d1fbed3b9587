import { join } from "node:path";
import type { TurnRecord } from "../src/vscode/turn/turnRecord.ts";
import type { AskReport } from "./askReport.ts";
import { outFolder } from "./paths.ts";
import { runOnServer } from "./vscode/runInVscode.ts";

export interface Question {
	readonly text: string;
	/** Absolute path of the folder with the knowledge to ask. */
	readonly folder: string;
	/** Absolute paths of the extensions under development, including ours unless it is installed. */
	readonly extensions: readonly [string, ...string[]];
	readonly dataFolder: string;
}

/** Asks `@copilot-ld` in a real VS Code without a window. Rejects if the turn fails. */
export async function ask({ text, ...where }: Question): Promise<TurnRecord> {
	const { promise, resolve, reject } = Promise.withResolvers<TurnRecord>();
	const receive = (report: AskReport) => {
		if (report.kind === "started") console.error(`▸ ${report.what} …`);
		if (report.kind === "answered") resolve(report.turn);
		if (report.kind === "failed") reject(new Error(report.message));
	};
	console.error("▸ Starting VS Code …");
	const bundle = join(outFolder, "askDriver.cjs");
	const run = runOnServer({
		...where,
		bundle,
		env: { COPILOT_LD_QUESTION: text },
		receive,
	});
	const [turn] = await Promise.all([promise, run.catch(reject)]);
	return turn;
}
