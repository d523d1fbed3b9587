import { messageOf } from "../../base/failure.ts";
import { once } from "../../base/jobs/lazily.ts";
import type { Sessions } from "../../core/session/session.ts";
import type { TurnToCheck } from "../../evidence/checkTurn.ts";
import { registerEach } from "../registerEach.ts";
import { answered, findInTurn } from "../turn/turnOf.ts";
import type { EvidenceDeps, Findings } from "./evidence.ts";

/** Compares answers with their sources. The first answer loads the code. */
export type EvidenceLink = ReturnType<typeof registerEvidence>;

const PATIENCE_MS = 1500;
export const NOTHING: Findings = { summary: "", warnings: [], spans: [] };

export function registerEvidence(deps: EvidenceDeps) {
	const { worker, log } = deps;
	const evidence = once(async () => (await import("./evidence.ts")).createEvidence(deps));
	const commands = registerEach({
		"copilot-ld.showEvidence": async (...turn: unknown[]) => {
			const found = await findInTurn(worker.sessions, turn, answered);
			return (await evidence.get()).show(found, new AbortController().signal);
		},
	});
	return {
		/** Returns `NOTHING` if the cited lines cannot be read in time. */
		findingsOn: async (turn: TurnToCheck): Promise<Findings> => {
			const late = AbortSignal.timeout(PATIENCE_MS);
			try {
				return await (await evidence.get()).findingsOn(turn, late);
			} catch (thrown) {
				// A failed check does not affect the answer.
				log.warn(`The answer was not compared with its sources: ${messageOf(thrown)}`);
				return NOTHING;
			}
		},
		/** Wraps sessions so that a transcript shows which cited lines have changed since the answer. */
		noting: (all: Sessions): Sessions => ({
			...all,
			read: async (id, signal) => {
				const transcript = await all.read(id, signal);
				if (!transcript.turns.some(({ spans = [] }) => spans.length > 0)) return transcript;
				const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
				try {
					const { withNotes } = await import("./evidence.ts");
					return { ...transcript, turns: await withNotes(worker.knowledge, transcript.turns, patience) };
				} catch (thrown) {
					signal.throwIfAborted();
					log.warn(`The citations of a session were not compared with the files: ${messageOf(thrown)}`);
					return transcript;
				}
			},
		}),
		dispose: () => {
			commands.dispose();
			void evidence.peek()?.then((made) => made.dispose());
		},
	};
}
