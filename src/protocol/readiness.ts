import { isFailure } from "../base/failure.ts";
import { STOP_WORDS } from "../base/words/stopWords.ts";
import type { IndexPriority, IndexProgress, Knowledge } from "../core/knowledge/knowledge.ts";

/** Sees to it that the index is in step with the files before somebody asks it. */
export type Readiness = ReturnType<typeof createReadiness>;

interface Beginning {
	readonly notices: readonly string[];
	/** Progress of the reading, if it goes on. */
	readonly unfinished?: IndexProgress;
}

type Report = (progress?: IndexProgress) => void;

const BUSY_NOTICE =
	"Another program keeps this index up to date; what it has not written yet is missing here.";

/** How long a question waits while many files are to be read, while few are, and while there is nothing to answer from. */
const PATIENCE_MS = 1500;
const FEW_FILES = 40;
const FEW_PATIENCE_MS = 3500;
const EMPTY_PATIENCE_MS = 4500;
/** An answer from nothing is worth less than these seconds. */
const FEW_EMPTY_PATIENCE_MS = 10_000;

export function createReadiness(bringInStep: Knowledge["index"], now = () => performance.now()) {
	let inStep = false;
	/** When the first of the questions that wait began to. */
	let since: number | undefined;
	const index: Knowledge["index"] = async (...given) => {
		const result = await bringInStep(...given);
		inStep = true;
		return result;
	};
	const compare = async (report: Report, signal: AbortSignal, first?: IndexPriority) => {
		if (inStep) return [];
		report();
		since ??= now();
		try {
			await index({ rebuild: false, ...(first && { first }) }, report, signal);
			return [];
		} catch (thrown) {
			const notice = noticeOf(thrown);
			if (notice === undefined) throw thrown;
			return [notice];
		} finally {
			since = undefined;
		}
	};
	const isEnough = ({ done, total, found }: IndexProgress) => {
		const isMany = total - done > FEW_FILES;
		const [some, none] = isMany ? [PATIENCE_MS, EMPTY_PATIENCE_MS] : [FEW_PATIENCE_MS, FEW_EMPTY_PATIENCE_MS];
		return now() - (since ?? now()) >= (found > 0 ? some : none);
	};
	return {
		index,
		/**
		 * Resolves once the files were compared with the index, or with a notice for the user if that is not possible here.
		 * Rejects with a `Failure`, or with the signal's reason. `report` is first called without progress.
		 */
		ensure: compare,
		/**
		 * The same for a question: resolves after a moment if many files are still to be read, and soon in any case, with what
		 * there is to answer from. The reading then goes on, even if the signal is aborted.
		 */
		begin: (report: Report, signal: AbortSignal, first?: IndexPriority) =>
			untilEnough(report, signal, isEnough, (tell, kept) => compare(tell, kept, first)),
		/** The files may have changed unseen: the next `ensure` compares again. */
		forget: () => {
			inStep = false;
		},
	};
}

/** Characters of a question in which words are looked for. */
const LONGEST_QUESTION = 2000;

/** Words that the name of a file may share with a question. */
export function tellingWords(question: string): string[] {
	const text = question.slice(0, LONGEST_QUESTION).toLowerCase();
	return [...new Set(text.match(/[\p{L}\p{N}]{4,}/gu))].filter((word) => !STOP_WORDS.has(word));
}

const LOOK_MS = 250;

/** After `isEnough`, the comparison goes on: the caller gets no more reports, and its signal does not stop it. */
async function untilEnough(
	report: Report,
	signal: AbortSignal,
	isEnough: (progress: IndexProgress) => boolean,
	compare: (report: Report, signal: AbortSignal) => Promise<readonly string[]>,
): Promise<Beginning> {
	signal.throwIfAborted();
	const enough = Promise.withResolvers<Beginning>();
	const stopping = new AbortController();
	const stop = () => stopping.abort(signal.reason);
	signal.addEventListener("abort", stop);
	let isHeard = true;
	let last: IndexProgress | undefined;
	const look = () => {
		if (last && isEnough(last)) enough.resolve({ notices: [], unfinished: last });
	};
	const whole = compare((progress) => {
		if (!isHeard) return;
		report(progress);
		last = progress;
		look();
	}, stopping.signal).then((notices) => ({ notices }));
	// The caller gets the error, and so does the next one.
	whole.catch(() => undefined);
	// While one file takes long, nothing is reported.
	const timer = setInterval(look, LOOK_MS);
	try {
		return await Promise.race([whole, enough.promise]);
	} finally {
		isHeard = false;
		clearInterval(timer);
		signal.removeEventListener("abort", stop);
	}
}

/** Another program that keeps the index in step may end. A read-only index is searched as it is. */
function noticeOf(thrown: unknown): string | undefined {
	if (!isFailure(thrown)) return undefined;
	if (thrown.code === "BUSY") return BUSY_NOTICE;
	return thrown.code === "READ_ONLY" ? thrown.message : undefined;
}
