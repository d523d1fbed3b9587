import { fork } from "node:child_process";
import { join } from "node:path";

/** Runs a program of the benchmark in a process of its own, so that none has the memory of another. */
export function runMeasurement<Measurement>(program: string, args: readonly string[]): Promise<Measurement> {
	const { promise, resolve, reject } = Promise.withResolvers<Measurement>();
	const execArgv = ["--import", join(import.meta.dirname, "../../test/support/tsxHook.ts")];
	const child = fork(join(import.meta.dirname, program), args, {
		execArgv,
		// LanceDB warns of what is normal.
		env: { ...process.env, LANCEDB_LOG: "error" },
	});
	child.once("message", (measurement) => resolve(measurement as Measurement));
	child.once("exit", (code, signal) =>
		reject(new Error(`${program} ${args.join(" ")} ended with ${code ?? signal}.`)),
	);
	return promise;
}

/** The other side: hands over what was measured, and ends. */
export async function reportToParent(measurement: Promise<object>): Promise<void> {
	const found = await measurement;
	if (!process.send) console.log(JSON.stringify(found, undefined, "\t"));
	else process.send(found, () => process.exit());
}
