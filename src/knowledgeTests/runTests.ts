import { messageOf } from "../base/failure.ts";
import type {
	Expectation,
	KnowledgeTest,
	TestFailure,
	TestOutcome,
} from "../core/knowledge/knowledgeTest.ts";
import { judge } from "./judge.ts";
import { type Observed, observe, type TestPorts } from "./observe.ts";

type Criterion = Extract<Expectation, { kind: "criterion" }>;

/** Asks the question of a test and judges what came. Rejects only where the signal is aborted. */
export async function runTest(
	test: KnowledgeTest,
	ports: TestPorts,
	signal: AbortSignal,
): Promise<TestOutcome> {
	try {
		const seen = await observe(test.asks, ports, signal);
		const criteria = test.expectations.filter((one) => one.kind === "criterion");
		const failures = test.expectations.flatMap((one) => {
			if (one.kind === "criterion") return [];
			const message = judge(one, seen);
			return message === undefined ? [] : [{ message, line: one.line }];
		});
		const judged = await judgeCriteria(criteria, { seen, ports }, signal);
		const { measured, answer, shown = answer } = seen;
		return {
			test,
			failures: [...failures, ...judged.failures],
			notices: judged.notices,
			measured,
			answer: shown,
		};
	} catch (thrown) {
		signal.throwIfAborted();
		return unanswered(test, thrown);
	}
}

async function judgeCriteria(
	criteria: readonly Criterion[],
	{ seen, ports }: { readonly seen: Observed; readonly ports: TestPorts },
	signal: AbortSignal,
): Promise<{ readonly failures: readonly TestFailure[]; readonly notices: readonly string[] }> {
	if (!ports.judge && criteria.length > 0)
		return {
			failures: [],
			notices: [`${criteria.length} of its criteria need a language model and were not judged.`],
		};
	const failures: TestFailure[] = [];
	for (const { text, line } of criteria) {
		const judgement = await ports.judge?.(text, seen.answer, signal);
		if (judgement && !judgement.meets) failures.push({ line, message: `${text}: ${judgement.why}` });
	}
	return { failures, notices: [] };
}

function unanswered(test: KnowledgeTest, thrown: unknown): TestOutcome {
	return {
		test,
		failures: [{ message: messageOf(thrown), line: test.line }],
		notices: [],
		measured: { calls: 0, rounds: 0, milliseconds: 0, tokens: 0 },
		answer: "",
	};
}
