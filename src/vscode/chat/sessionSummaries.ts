import type { Middleware } from "../../agent/loop/runTurn.ts";
import type { Model } from "../../agent/ports.ts";
import { createSummaries } from "../../agent/window/summaries.ts";
import type { AgentRequest, Turn } from "../../core/agent/agentEvent.ts";
import type { SessionJournals } from "../../core/session/session.ts";

/** Timeout of a summary, which is useless once the next turns have passed. */
const PATIENCE_MS = 120_000;

export function createSessionSummaries(sessions: SessionJournals) {
	const summaries = createSummaries();
	const restored = new Set<string>();
	return {
		of: summaries.of,
		/** Restores the summary of a session before a turn, and makes a newer summary after the turn. */
		around:
			(model: Model): Middleware =>
			async (turn) => {
				const { question, history, session } = turn.request;
				await restore(turn.request, turn.signal);
				let answer = "";
				return {
					note: (event) => {
						if (event.kind === "text") answer += event.text;
					},
					end: (outcome) => {
						// Runs in the background: after a failure, the next turn only lacks a newer summary.
						if (outcome === "done")
							void summarize([...history, { question, answer }], model, session).catch(() => undefined);
					},
				};
			},
	};

	/** Reads a session's summary into memory once. After a failure, the next turn tries again. */
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
