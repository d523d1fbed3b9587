// A parser that does with a file what the file's name says.
const deeds: Readonly<Record<string, () => void>> = {
	hang: () => {
		for (;;);
	},
	crash: () => {
		throw new Error("a bug in a parser");
	},
	exit: () => process.exit(3),
	gorge: () => {
		const hoard: string[][] = [];
		for (;;) hoard.push(Array.from({ length: 100_000 }, (_, index) => `text ${index}`));
	},
	tell: () => process.send?.({ kind: "broken", reason: "a part broke" }),
	answer: () => process.send?.({ kind: "answer", answer: { kind: "unchanged" } }),
};

process.on("message", ({ path }: { path: string }) => deeds[path]?.());
process.send?.({ kind: "ready" });
