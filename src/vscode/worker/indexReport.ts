import { isFailure } from "../../base/failure.ts";
import { escapeMarkdown } from "../../base/markdown.ts";
import { numeral, plural } from "../../base/plural.ts";
import type {
	IndexContents,
	IndexProgress,
	IndexReport,
	IndexStatus,
	Knowledge,
	Leg,
} from "../../core/knowledge/knowledge.ts";

export function progressText(progress?: IndexProgress): string {
	if (!progress) return "Comparing the index with the files";
	const { done, total, current } = progress;
	return total === 0 ? "Listing files" : `${numeral(done)} of ${plural(total, "file")} indexed: ${current}`;
}

/** What a person must know who stopped it; nothing where nothing had begun. */
export function stoppedText(progress: IndexProgress | undefined, then: string): string {
	if (!progress || progress.total === 0) return `Stopped. ${then}`;
	return `Stopped: ${numeral(progress.done)} of ${plural(progress.total, "file")} indexed. ${then}`;
}

/** What an indexing did, and what there is now. */
export function reportText({ indexed, removed, contents, durationMs }: IndexReport): string {
	if (contents.documents === 0) return nothingText(contents);
	const { documents, passages, failed } = contents;
	const holds = `${plural(documents, "file")}, ${plural(passages, "passage")}`;
	const trouble = failed.length > 0 ? ` ${plural(failed.length, "file")} could not be read.` : "";
	if (indexed + removed === 0) return `The index is up to date: ${holds}.${trouble}`;
	const gone = removed > 0 ? `, ${numeral(removed)} removed` : "";
	const seconds = (durationMs / 1000).toFixed(1);
	return `${plural(indexed, "file")} indexed${gone} in ${seconds} s. The index has ${holds}.${trouble}`;
}

/** Where a folder has nothing that can be found. */
export function nothingText({ skipped, failed }: Pick<IndexContents, "skipped" | "failed">): string {
	const count = Object.values(skipped).reduce((sum, files) => sum + files, 0);
	const why = Object.keys(skipped).map((reason) => reason.replace(/^no reader for (\.\S+) files$/, "$1"));
	const details = [
		...(count > 0 ? [`${numeral(count)} skipped: ${why.join(", ")}`] : []),
		...(failed.length > 0 ? [`${numeral(failed.length)} failed`] : []),
	];
	const told = details.length > 0 ? ` (${details.join("; ")})` : "";
	return `This folder has no files that Copilot-LD can read${told}.`;
}

/**
 * What to tell a person where another program keeps the index in step: nothing is wrong then. Rejects with what else
 * was thrown.
 */
export async function keptElsewhereText(
	thrown: unknown,
	{ status }: Pick<Knowledge, "status">,
): Promise<string> {
	if (!isFailure(thrown) || thrown.code !== "BUSY") throw thrown;
	const { documents, passages } = await status(new AbortController().signal);
	return `${thrown.message} It holds ${plural(documents, "file")} in ${plural(passages, "passage")}.`;
}

const LEGS: Readonly<Record<Leg, string>> = {
	text: "full text",
	vector: "semantic",
	entity: "graph",
	descriptor: "descriptions",
};

/** The state of the index as a Markdown document. */
export function statusDocument(status: IndexStatus): string {
	const { state, documents, described, passages, resources, quads, embedder, legs, bytesOnDisk } = status;
	const lines = [
		"# Copilot-LD: index status",
		"",
		`The index is **${state}**.`,
		"",
		"| | |",
		"| --- | --- |",
		`| Files | ${numeral(documents)} |`,
		...(status.flawed > 0 ? [`| Files with problems | ${numeral(status.flawed)} |`] : []),
		...(described > 0 ? [`| Described | ${numeral(described)} of ${plural(documents, "document")} |`] : []),
		`| Passages | ${numeral(passages)} |`,
		`| Resources | ${numeral(resources)} |`,
		`| Statements | ${numeral(quads)} |`,
		`| Search methods | ${legs.map((leg) => LEGS[leg]).join(", ") || "none yet"} |`,
		`| Embedding model | ${escapeMarkdown(embedder)} |`,
		`| On disk | ${(bytesOnDisk / 1e6).toFixed(1)} MB |`,
		...section("Notes", status.notices),
		...section(
			"Skipped",
			Object.entries(status.skipped).map(([reason, count]) => `${plural(count, "file")}: ${reason}`),
		),
		...section(
			"Failed",
			status.failed.map(({ path, reason }) => `${path}: ${reason}`),
		),
	];
	return lines.join("\n");
}

function section(title: string, items: readonly string[]): string[] {
	return items.length === 0
		? []
		: ["", `## ${title}`, "", ...items.map((item) => `- ${escapeMarkdown(item)}`)];
}
