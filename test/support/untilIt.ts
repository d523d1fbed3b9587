import { setTimeout } from "node:timers/promises";

/** So long is left to whom is waited for: a loop without a pause takes their processor. */
const PAUSE_MS = 20;

/** Asks again and again until the answer is as expected; the test runner's limit ends what never comes. */
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
