import { type Failure, isFailure, messageOf } from "../base/failure.ts";
import type { IndexProgress, Knowledge } from "../core/knowledge/knowledge.ts";

/** Sees to it that the index is in step with the files before somebody asks it. */
export interface Readiness {
	/**
	 * Resolves once they were compared, to what a person must know. Rejects with a `Failure`, or with the signal's reason;
	 * the comparison goes on then, for the next call.
	 */
	ensure(report: (progress: IndexProgress) => void, signal: AbortSignal): Promise<readonly string[]>;
	/** The files may have changed unseen: the next `ensure` compares again. */
	forget(): void;
}

const BUSY_NOTICE =
	"Another program keeps this index in step with the files; what it has not written yet is missing here.";

/** `onError` hears of what no caller waits for; `closing` ends the comparison. */
export function createReadiness(
	knowledge: Pick<Knowledge, "index">,
	{ closing, onError }: { readonly closing: AbortSignal; readonly onError: (message: string) => void },
): Readiness {
	let inStep = false;
	return {
		ensure: async (report, signal) => {
			if (inStep) return [];
			// All who call meanwhile share one run; this call sees to it that it outlives them.
			void compare();
			try {
				await knowledge.index({ rebuild: false }, report, signal);
				inStep = true;
				return [];
			} catch (thrown) {
				// The other one may end: the next call tries again.
				if (isBusy(thrown)) return [BUSY_NOTICE];
				if (isReadOnly(thrown)) return [thrown.message];
				throw thrown;
			}
		},
		forget: () => {
			inStep = false;
		},
	};

	async function compare(): Promise<void> {
		try {
			await knowledge.index({ rebuild: false }, () => undefined, closing);
			inStep = true;
		} catch (thrown) {
			if (!closing.aborted && !isBusy(thrown) && !isReadOnly(thrown)) onError(messageOf(thrown));
		}
	}
}

/** The folder of the index may not be written to by this program: it is searched as it is. */
function isReadOnly(thrown: unknown): thrown is Failure {
	return isFailure(thrown) && thrown.code === "READ_ONLY";
}

function isBusy(thrown: unknown): boolean {
	return isFailure(thrown) && thrown.code === "BUSY";
}
