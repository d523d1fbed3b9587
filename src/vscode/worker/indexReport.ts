import { isFailure } from "../../base/failure.ts";
import { escapeMarkdown } from "../../base/markdown.ts";
import type { IndexProgress, IndexReport, IndexStatus, Knowledge } from "../../core/knowledge/knowledge.ts";

export function progressText(progress?: IndexProgress): string {
	if (!progress) return "Comparing the index with the files";
	const { done, total, current } = progress;
	return total === 0 ? "Listing files" : `Indexing ${done} of ${total} files: ${current}`;
}

/** One sentence on what an indexing did. */
export function reportText(report: IndexReport): string {
	const { indexed, unchanged, removed, skipped, failed, passages, durationMs } = report;
	const parts = [
		`${plural(indexed, "file")} indexed (${plural(passages, "passage")})`,
		`${unchanged} unchanged`,
		...(removed > 0 ? [`${removed} removed`] : []),
		...(skipped > 0 ? [`${skipped} skipped`] : []),
		...(failed > 0 ? [`${failed} failed`] : []),
	];
	return `${parts.join(", ")}, in ${(durationMs / 1000).toFixed(1)} s.`;
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
		`| Files | ${documents} |`,
		...(described > 0 ? [`| Described | ${described} of ${documents} documents are described |`] : []),
		`| Passages | ${passages} |`,
		`| Resources | ${resources} |`,
		`| Statements | ${quads} |`,
		`| Found by | ${legs.join(", ") || "nothing yet"} |`,
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

function plural(count: number, noun: string): string {
	return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
