import { env, l10n } from "vscode";
import { isFailure } from "../../base/failure.ts";
import type { IndexContents, IndexProgress, IndexReport, Knowledge } from "../../core/knowledge/knowledge.ts";
import { amounts, counted, numeral, toldOf, translated } from "../l10n.ts";

export function progressText(progress?: IndexProgress): string {
	if (!progress) return l10n.t("Comparing the index with the files");
	const { done, total, current } = progress;
	return total === 0
		? l10n.t("Listing files")
		: l10n.t("{0} of {1} indexed: {2}", numeral(done), amounts.files(total), current);
}

export function partialText({ done, total }: IndexProgress): string {
	return l10n.t(
		"The index is still being built: {0} of {1}. What is missing there is missing in this answer.",
		numeral(done),
		amounts.files(total),
	);
}

export function stoppedText(progress: IndexProgress | undefined, then: string): string {
	if (!progress || progress.total === 0) return l10n.t("Stopped. {0}", then);
	return l10n.t(
		"Stopped: {0} of {1} indexed. {2}",
		numeral(progress.done),
		amounts.files(progress.total),
		then,
	);
}

export function reportText({ indexed, removed, contents, durationMs }: IndexReport): string {
	if (contents.documents === 0) return nothingText(contents);
	const { documents, passages, failed } = contents;
	const holds = `${amounts.files(documents)}, ${amounts.passages(passages)}`;
	const trouble = failed.length > 0 ? [unreadText(failed.length)] : [];
	if (indexed + removed === 0) return [l10n.t("The index is up to date: {0}.", holds), ...trouble].join(" ");
	const done = [
		l10n.t("{0} indexed", amounts.files(indexed)),
		...(removed > 0 ? [l10n.t("{0} removed", numeral(removed))] : []),
	].join(", ");
	const seconds = (durationMs / 1000).toLocaleString(env.language, ONE_DIGIT);
	return [l10n.t("{0} in {1} s.", done, seconds), l10n.t("The index has {0}.", holds), ...trouble].join(" ");
}

export const ONE_DIGIT = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

const unreadText = counted(l10n.t("1 file could not be read."), l10n.t("{0} files could not be read."));

export function nothingText({ skipped, failed }: IndexContents): string {
	const count = Object.values(skipped).reduce((sum, files) => sum + files, 0);
	const why = Object.keys(skipped).map((reason) =>
		translated(reason.replace(/^no reader for (\.\S+) files$/, "$1")),
	);
	const details = [
		...(count > 0 ? [l10n.t("{0} skipped: {1}", numeral(count), why.join(", "))] : []),
		...(failed.length > 0 ? [l10n.t("{0} failed", numeral(failed.length))] : []),
	];
	return details.length > 0
		? l10n.t("This folder has no files that Copilot-LD can read ({0}).", details.join("; "))
		: l10n.t("This folder has no files that Copilot-LD can read.");
}

/** Tells the user that another program keeps the index in step. Rejects with any other error. */
export async function keptElsewhereText(
	thrown: unknown,
	{ status }: { readonly status: Knowledge["status"] },
): Promise<string> {
	if (!isFailure(thrown) || thrown.code !== "BUSY") throw thrown;
	const { documents, passages } = await status(new AbortController().signal);
	return `${toldOf(thrown)} ${l10n.t("The index has {0}.", `${amounts.files(documents)}, ${amounts.passages(passages)}`)}`;
}
