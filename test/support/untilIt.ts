import { setTimeout } from "node:timers/promises";

/** Pause that leaves the processor to the program being awaited. */
const PAUSE_MS = 20;

/** Repeats a call until its result is as expected. The test runner's time limit ends an endless wait. */
export async function untilIt<Answer>(
	ask: () => Promise<Answer>,
	isExpected: (answer: Answer) => boolean,
): Promise<Answer> {
	for (;;) {
		const answer = await ask();
		if (isExpected(answer)) return answer;
		await setTimeout(PAUSE_MS);
	}
}
