import { isFailure } from "../base/failure.ts";
import { STOP_WORDS } from "../base/words/stopWords.ts";
import type { IndexPriority, IndexProgress, Knowledge } from "../core/knowledge/knowledge.ts";

/** Brings the index up to date with the files before it is queried. */
export type Readiness = ReturnType<typeof createReadiness>;

interface Beginning {
	readonly notices: readonly string[];
	readonly unfinished?: IndexProgress;
}

type Report = (progress?: IndexProgress) => void;

const BUSY_NOTICE =
	"Another program keeps this index up to date; what it has not written yet is missing here.";

/** Up to this number, unread files are worth a longer wait, because reading them ends soon. */
const FEW_FILES = 40;
/** Maximum times that a question waits while many or few files are unread. */
const MANY_WAIT_MS = 1500;
const FEW_WAIT_MS = 3500;
/** Maximum times while the index is empty: longer, because an answer from an empty index is useless. */
const MANY_EMPTY_WAIT_MS = 4500;
const FEW_EMPTY_WAIT_MS = 10_000;

export function createReadiness(bringInStep: Knowledge["index"], now = () => performance.now()) {
	let inStep = false;
	/** Time of `now` at which the running comparison started. */
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
		const [some, none] = isMany ? [MANY_WAIT_MS, MANY_EMPTY_WAIT_MS] : [FEW_WAIT_MS, FEW_EMPTY_WAIT_MS];
		return now() - (since ?? now()) >= (found > 0 ? some : none);
	};
	return {
		index,
		/**
		 * Resolves once the index is up to date, or to a notice for the user if it cannot be updated here.
		 * Rejects with a `Failure` or the signal's reason. The first call of `report` has no progress.
		 */
		ensure: compare,
		/**
		 * Like `ensure`, but resolves after at most 10 seconds, even if files are still unread.
		 * Indexing continues in the background, even if the signal is aborted.
		 */
		begin: (report: Report, signal: AbortSignal, first?: IndexPriority) =>
			untilEnough(report, signal, isEnough, (tell, kept) => compare(tell, kept, first)),
		/** Makes the next `ensure` compare again, because files may have changed unnoticed. */
		forget: () => {
			inStep = false;
		},
	};
}

/** Number of a question's first characters that are searched for words. */
const LONGEST_QUESTION = 2000;

/** Distinctive words of a question, which names of relevant files may contain. */
export function tellingWords(question: string): string[] {
	const text = question.slice(0, LONGEST_QUESTION).toLowerCase();
	return [...new Set(text.match(/[\p{L}\p{N}]{4,}/gu))].filter((word) => !STOP_WORDS.has(word));
}

const LOOK_MS = 250;

/** Waits until `isEnough`. After that, `compare` continues without reports, and the signal cannot stop it. */
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
	// The error must not count as unhandled: the race below rejects with it, or the next call fails again.
	whole.catch(() => undefined);
	// A timer, because nothing is reported while a single file takes long.
	const timer = setInterval(look, LOOK_MS);
	try {
		return await Promise.race([whole, enough.promise]);
	} finally {
		isHeard = false;
		clearInterval(timer);
		signal.removeEventListener("abort", stop);
	}
}

function noticeOf(thrown: unknown): string | undefined {
	if (!isFailure(thrown)) return undefined;
	if (thrown.code === "BUSY") return BUSY_NOTICE;
	return thrown.code === "READ_ONLY" ? thrown.message : undefined;
}
