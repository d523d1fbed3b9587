import { after, type TestContext } from "node:test";

/** Keeps what is opened with it until the tests of the file are over; the last is closed first. */
export function wholeFile(): Pick<TestContext, "after"> {
	const cleanups: (() => unknown)[] = [];
	after(async () => {
		for (const clean of cleanups.reverse()) await clean();
	});
	return { after: (clean) => void cleanups.push(clean as () => unknown) };
}
