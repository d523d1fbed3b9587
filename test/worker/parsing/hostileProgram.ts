import { resolve } from "node:path";
import { startProcessorClock } from "../../../src/worker/parsing/processorClock.ts";

// A parser that does what the name of the file says.
const deeds: Readonly<Record<string, () => void>> = {
	hang: () => {
		for (;;);
	},
	/** Never answers, and uses no processor time. */
	wait: () => void setInterval(() => undefined, 1_000_000),
	crash: () => {
		throw new Error("a bug in a parser");
	},
	exit: () => process.exit(3),
	gorge: () => {
		const hoard: string[][] = [];
		for (;;) hoard.push(Array.from({ length: 100_000 }, (_, index) => `text ${index}`));
	},
	/** Allocates memory outside the heap. */
	swell: () => {
		const hoard: Buffer[] = [];
		for (;;) if (hoard.length < 30) hoard.push(Buffer.alloc(50_000_000, 1));
	},
	tell: () => process.send?.({ kind: "broken", reason: "a part broke" }),
	answer: () => process.send?.({ kind: "answer", answer: { kind: "unchanged" } }),
	done: () => process.send?.({ kind: "done", output: [] }),
	refused: () => process.send?.({ kind: "refused", reason: "the name is taken" }),
};

const clock = startProcessorClock(resolve("src/worker/parsing/clockThread.ts"));
process.on("message", ({ input, path = input?.path ?? "" }: { path?: string; input?: { path: string } }) => {
	clock.begin();
	deeds[path]?.();
	if (path !== "wait") clock.end();
});
process.send?.({ kind: "ready" });
