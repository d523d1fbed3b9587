import type { TestContext } from "node:test";
import { requestFor, runnerOn, runToEnd, startRealCli } from "../../../test/acp/realCli.ts";
import { round, summarize, type Times } from "./times.ts";

type Cleanup = Pick<TestContext, "after">;

const CANCELS = 30;

/** Measures the start of the real CLI, and initialization once it runs. */
export async function measureInitialize(t: Cleanup) {
	const cli = await startRealCli(t, () => ({ text: ["Yes."] }));
	const startedAt = performance.now();
	await cli.client.ensureStarted();
	const first = performance.now() - startedAt;
	const times: number[] = [];
	for (let n = 0; n < 1000; n++) {
		const askedAt = performance.now();
		await cli.client.ensureStarted();
		times.push(performance.now() - askedAt);
	}
	return { firstStart: round(first), fromCache: summarize(times) };
}

/** Measures the time from canceling a streaming answer to the end of the turn. */
export async function measureCancel(t: Cleanup): Promise<Times> {
	const cli = await startRealCli(t, () => ({ text: ["One ", "two "], wait: true }));
	const session = await cli.sessions.create({ cwd: cli.work, mcpServers: [] });
	const times: number[] = [];
	for (let n = 0; n < CANCELS; n++) {
		const controller = new AbortController();
		let at = 0;
		await runToEnd(runnerOn(cli, session), requestFor("Go"), controller.signal, ({ kind }) => {
			if (kind !== "text" || at > 0) return;
			at = performance.now();
			controller.abort();
		});
		times.push(performance.now() - at);
	}
	return summarize(times);
}
