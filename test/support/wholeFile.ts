import { after, type TestContext } from "node:test";

export function wholeFile(): Pick<TestContext, "after"> {
	const cleanups: (() => unknown)[] = [];
	after(async () => {
		for (const clean of cleanups.reverse()) await clean();
	});
	return { after: (clean) => void cleanups.push(clean as () => unknown) };
}
