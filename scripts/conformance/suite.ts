/** A conformance suite with its requirements. */
export interface Suite {
	readonly name: string;
	/** Minimum number of tests that must pass. */
	readonly bar: number;
	/** Reasons why tests cannot pass, by test name. */
	readonly misfits?: Readonly<Record<string, string>>;
	/** Whether the suite is missing in the folder of all suites; if the method is absent, the suite always exists. */
	isAbsent?(folder: string): boolean;
	/** Reads the tests from the folder of all suites. */
	readTests(folder: string): Promise<SuiteTest[]>;
}

interface SuiteTest {
	readonly name: string;
	/** Returns the reason of a failure; `undefined` if the test passes. */
	run(): Promise<string | undefined>;
}

export interface SuiteResult {
	readonly suite: Suite;
	readonly total: number;
	readonly failures: readonly { readonly name: string; readonly reason: string }[];
	readonly seconds: number;
}

/** Runs the tests one by one; a test that throws fails. */
export async function runSuite(suite: Suite, folder: string): Promise<SuiteResult> {
	const started = performance.now();
	const tests = await suite.readTests(folder);
	const failures: { name: string; reason: string }[] = [];
	for (const { name, run } of tests) {
		const reason = await run().catch((thrown: unknown) => `threw ${thrown}`);
		if (reason !== undefined) failures.push({ name, reason });
	}
	return { suite, total: tests.length, failures, seconds: (performance.now() - started) / 1000 };
}

export function passedOf({ total, failures }: SuiteResult): number {
	return total - failures.length;
}
