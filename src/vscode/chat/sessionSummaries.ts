import type { Model } from "../../agent/ports.ts";
import { createSummaries, type Summaries } from "../../agent/window/summaries.ts";
import type { AgentRequest, Runner } from "../../core/agent/agentEvent.ts";
import type { Turn } from "../../core/agent/message.ts";
import type { Sessions } from "../../core/session/session.ts";

export interface SessionSummaries extends Pick<Summaries, "of"> {
	/** A runner that knows the summary of its session, and sees to a newer one when a turn is over. */
	around(run: Runner, model: Model): Runner;
}

/** A summary is of no use when it comes after the next turns. */
const PATIENCE_MS = 120_000;

export function createSessionSummaries(sessions: Pick<Sessions, "append" | "read">): SessionSummaries {
	const summaries = createSummaries();
	const restored = new Set<string>();
	return {
		of: summaries.of,
		around: (run, model) =>
			async function* runTurn(request, signal) {
				await restore(request, signal);
				let answer = "";
				for await (const event of run(request, signal)) {
					if (event.kind === "text") answer += event.text;
					yield event;
				}
				const turns = [...request.history, { question: request.question, answer }];
				// Nobody waits for it, and without it the next turn is only poorer.
				void summarize(turns, model, request.session).catch(() => undefined);
			},
	};

	/** Once for each session: from then on the summary is in memory. One that cannot be read is made again. */
	async function restore({ session, history }: AgentRequest, signal: AbortSignal): Promise<void> {
		if (session === undefined || history.length === 0 || restored.has(session)) return;
		try {
			const { summary } = await sessions.read(session, signal);
			if (summary) await summaries.restore(history, summary);
			restored.add(session);
		} catch {
			signal.throwIfAborted();
		}
	}

	async function summarize(turns: readonly Turn[], model: Model, session: string | undefined): Promise<void> {
		const signal = AbortSignal.timeout(PATIENCE_MS);
		const made = await summaries.prepare(turns, model, signal);
		if (made && session !== undefined)
			await sessions.append(session, [{ kind: "summarized", at: Date.now(), ...made }], signal);
	}
}
