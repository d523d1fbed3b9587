import { isFailure, messageOf } from "../core/failure.ts";
import type { IndexProgress, Knowledge } from "../core/knowledge.ts";

/** Sees to it that the index is in step with the files before somebody asks it. */
export interface Readiness {
	/** Begins to compare the files with the index, for nobody. */
	begin(): void;
	/** Resolves once they were compared, to what a person must know. Rejects with a `Failure`, or with the signal's reason. */
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
	const ensure: Readiness["ensure"] = async (report, signal) => {
		if (inStep) return [];
		try {
			// Who calls at the same time shares one run.
			await knowledge.index({ rebuild: false }, report, signal);
			inStep = true;
			return [];
		} catch (thrown) {
			// The other one may end: the next call tries again.
			if (isFailure(thrown) && thrown.code === "BUSY") return [BUSY_NOTICE];
			throw thrown;
		}
	};
	return {
		ensure,
		begin: () => {
			// It goes on when the calls that wait for it are cancelled.
			ensure(() => undefined, closing).catch((thrown: unknown) => {
				if (!closing.aborted) onError(messageOf(thrown));
			});
		},
		forget: () => {
			inStep = false;
		},
	};
}
