import type { Descriptions, DocumentDigest } from "../core/descriptor.ts";
import { isFailure } from "../core/failure.ts";
import { describeDocument } from "./describeDocument.ts";
import type { Model } from "./ports.ts";

/** Documents that are fetched at a time. */
const BATCH = 20;

export interface DescribeWork {
	readonly descriptions: Descriptions;
	readonly model: Model;
	/** Requests that may be made. */
	readonly budget: number;
	/** Hears how many requests were made. */
	readonly report: (done: number) => void;
}

/** What came of it, also where it was cancelled. */
export interface DescribeReport {
	readonly described: number;
	/** Documents that the model did not describe in the form that it was asked for. */
	readonly refused: number;
	/** Documents without a description, those that were refused among them. */
	readonly left: number;
	/** What ended it before the budget was spent: it would have gone wrong again with the next document. */
	readonly stoppedBy?: unknown;
}

/**
 * Has a model describe documents that have no description, one request after the other: so a limit of the model is met
 * once, and a cancellation costs one answer at most. Rejects where nothing can be described here.
 */
export async function describeDocuments(work: DescribeWork, signal: AbortSignal): Promise<DescribeReport> {
	const { descriptions, budget, report } = work;
	const { total } = await descriptions.undescribed(0, signal);
	const refused = new Set<string>();
	let described = 0;
	const reportOf = () => ({ described, refused: refused.size, left: total - described });
	try {
		for await (const document of openDocuments(descriptions, refused, signal)) {
			if (signal.aborted || described + refused.size >= budget) break;
			if (await describeOne(document, work, signal)) described++;
			else refused.add(document.hash);
			report(described + refused.size);
		}
	} catch (thrown) {
		return signal.aborted ? reportOf() : { ...reportOf(), stoppedBy: thrown };
	}
	return reportOf();
}

/** Those that have no description when their turn comes: files change meanwhile, and others describe too. */
async function* openDocuments(
	descriptions: Descriptions,
	refused: ReadonlySet<string>,
	signal: AbortSignal,
): AsyncGenerator<DocumentDigest> {
	for (;;) {
		const { documents } = await descriptions.undescribed(BATCH + refused.size, signal);
		const open = documents.filter(({ hash }) => !refused.has(hash)).slice(0, BATCH);
		if (open.length === 0) return;
		yield* open;
	}
}

/** Whether the model's answer could be kept. */
async function describeOne(
	document: DocumentDigest,
	{ descriptions, model }: DescribeWork,
	signal: AbortSignal,
): Promise<boolean> {
	try {
		const descriptor = await describeDocument(model, document, signal);
		// What was paid for is kept, also where somebody cancels now.
		await descriptions.describe(document.hash, descriptor, new AbortController().signal);
		return true;
	} catch (thrown) {
		if (isFailure(thrown) && thrown.code === "BAD_INPUT") return false;
		throw thrown;
	}
}
