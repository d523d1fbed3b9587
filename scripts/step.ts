/** Reports a step and its duration on stderr; stdout is for results. */
export async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
	const started = performance.now();
	console.error(`▸ ${title} …`);
	const result = await work();
	const seconds = (performance.now() - started) / 1000;
	if (seconds >= 1) console.error(`  ${title}: ${seconds.toFixed(1)} s`);
	return result;
}
