const failures: string[] = [];

/** Remembers a failed test to print it again after thousands of lines. */
export function recall(failure: string): void {
	failures.push(failure);
}

/** Numbers of passed and failed checks. */
export interface Tally {
	readonly passed: number;
	readonly failed: number;
}

export function sumTallies(tallies: readonly Tally[]): Tally {
	return {
		passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
		failed: tallies.reduce((sum, { failed }) => sum + failed, 0),
	};
}

/** Runs one check, counts it, and prints the reason of a failure. */
export async function checkOff(title: string, check: () => Promise<unknown>): Promise<Tally> {
	try {
		await check();
		console.log(`✔ ${title}`);
		return { passed: 1, failed: 0 };
	} catch (error) {
		const failure = `${title}: ${error instanceof Error ? error.message : error}`;
		console.log(`✖ ${failure}`);
		recall(failure);
		return { passed: 0, failed: 1 };
	}
}

/** Prints the closing line, and sets the exit code. */
export function conclude({ passed, failed }: Tally): void {
	for (const failure of failures) console.log(`✖ ${failure}`);
	console.log(`${passed} passed, ${failed} failed`);
	process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}
