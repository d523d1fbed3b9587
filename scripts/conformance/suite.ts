/** A conformance suite, as it is run and judged here. */
export interface Suite {
	readonly name: string;
	/** How many of its tests must pass. */
	readonly bar: number;
	/** Why some tests cannot pass here, by their names. */
	readonly misfits?: Readonly<Record<string, string>>;
	/** Whether the folder that holds all suites lacks it; one that does not say is always there. */
	isAbsent?(folder: string): boolean;
	/** The tests, from the folder that holds all suites. */
	readTests(folder: string): Promise<SuiteTest[]>;
}

interface SuiteTest {
	readonly name: string;
	/** Returns nothing when it passes, else the reason why not. */
	run(): Promise<string | undefined>;
}

export interface SuiteResult {
	readonly suite: Suite;
	readonly total: number;
	readonly failures: readonly { readonly name: string; readonly reason: string }[];
	readonly seconds: number;
}

/** Runs the tests one after the other; one that throws has failed. */
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
