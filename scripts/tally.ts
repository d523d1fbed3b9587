const failures: string[] = [];

/** Has the failed test named again at the end, below thousands of lines. */
export function recall(failure: string): void {
	failures.push(failure);
}

/** How many checks went well. */
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

/** Counts one check as a whole, and says why it failed. */
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

/** Prints the closing line; the exit code says the same. */
export function conclude({ passed, failed }: Tally): void {
	for (const failure of failures) console.log(`✖ ${failure}`);
	console.log(`${passed} passed, ${failed} failed`);
	process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}
