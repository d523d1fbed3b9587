import { fork } from "node:child_process";
import { join } from "node:path";
import { WORKER_ENVIRONMENT, WORKER_FLAGS } from "../../src/protocol/workerStart.ts";

/** Runs a program of the benchmark in its own process, started like the worker, so that none affects another's memory. */
export function runMeasurement<Measurement>(
	program: string,
	args: readonly string[],
	flags: readonly string[] = WORKER_FLAGS,
): Promise<Measurement> {
	const { promise, resolve, reject } = Promise.withResolvers<Measurement>();
	const execArgv = [...flags, "--import", join(import.meta.dirname, "../../test/support/tsxHook.ts")];
	const child = fork(join(import.meta.dirname, program), args, {
		execArgv,
		env: { ...process.env, ...WORKER_ENVIRONMENT },
	});
	child.once("message", (measurement) => resolve(measurement as Measurement));
	child.once("exit", (code, signal) =>
		reject(new Error(`${program} ${args.join(" ")} ended with ${code ?? signal}.`)),
	);
	return promise;
}

/** Called in that process: sends the measurement to the parent, and exits. */
export async function reportToParent(measurement: Promise<object>): Promise<void> {
	const found = await measurement;
	if (!process.send) console.log(JSON.stringify(found, undefined, "\t"));
	else process.send(found, () => process.exit());
}
