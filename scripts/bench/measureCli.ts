import { measureCancel, measureInitialize } from "./acp/liveCli.ts";
import { measureLoad } from "./acp/load.ts";
import { measureOverhead } from "./acp/overhead.ts";
import type { CliMeasurement } from "./measurement.ts";
import { reportToParent } from "./program.ts";

/** Measures the overhead of our link to the Copilot CLI, if possible with the real CLI, in milliseconds. */
async function measureCli(): Promise<CliMeasurement> {
	const cleanups: (() => unknown)[] = [];
	const t = { after: (clean: unknown) => void cleanups.push(clean as () => unknown) };
	try {
		return {
			overhead: await measureOverhead(),
			initialize: await measureInitialize(t),
			cancel: await measureCancel(t),
			load: await measureLoad(t),
		};
	} finally {
		for (const clean of cleanups.reverse()) await clean();
	}
}

await reportToParent(measureCli());
