import { isFailure } from "../base/failure.ts";
import type { IndexProgress, Knowledge } from "../core/knowledge/knowledge.ts";

/** Sees to it that the index is in step with the files before somebody asks it. */
export interface Readiness extends Pick<Knowledge, "index"> {
	/**
	 * Resolves once the files were compared with the index, or where that cannot be done from here: then with a notice
	 * for a person. Rejects with a `Failure`, or with the signal's reason. `report` is first called without progress.
	 */
	ensure(report: (progress?: IndexProgress) => void, signal: AbortSignal): Promise<readonly string[]>;
	/** The files may have changed unseen: the next `ensure` compares again. */
	forget(): void;
}

const BUSY_NOTICE =
	"Another program keeps this index in step with the files; what it has not written yet is missing here.";

export function createReadiness(knowledge: Pick<Knowledge, "index">): Readiness {
	let inStep = false;
	const index: Readiness["index"] = async (options, report, signal) => {
		const result = await knowledge.index(options, report, signal);
		inStep = true;
		return result;
	};
	return {
		index,
		ensure: async (report, signal) => {
			if (inStep) return [];
			report();
			try {
				await index({ rebuild: false }, report, signal);
				return [];
			} catch (thrown) {
				const notice = noticeOf(thrown);
				if (notice === undefined) throw thrown;
				return [notice];
			}
		},
		forget: () => {
			inStep = false;
		},
	};
}

/** Who keeps it in step may end, so that the next question tries again. Where nobody here may, it is searched as it is. */
function noticeOf(thrown: unknown): string | undefined {
	if (!isFailure(thrown)) return undefined;
	if (thrown.code === "BUSY") return BUSY_NOTICE;
	return thrown.code === "READ_ONLY" ? thrown.message : undefined;
}
