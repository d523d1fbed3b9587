import { measureCancel, measureInitialize } from "./acp/liveCli.ts";
import { measureLoad } from "./acp/load.ts";
import { measureOverhead } from "./acp/overhead.ts";

/** Measures what our link to the Copilot CLI adds, with the real CLI where it can be; prints JSON, times in milliseconds. */
const cleanups: (() => unknown)[] = [];
const t = { after: (clean: unknown) => void cleanups.push(clean as () => unknown) };
try {
	const figures = {
		overhead: await measureOverhead(),
		initialize: await measureInitialize(t),
		cancel: await measureCancel(t),
		load: await measureLoad(t),
	};
	console.log(JSON.stringify(figures, undefined, "\t"));
} finally {
	for (const clean of cleanups.reverse()) await clean();
}
