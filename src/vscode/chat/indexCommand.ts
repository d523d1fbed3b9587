import type * as vscode from "vscode";
import { escapeMarkdown } from "../../base/markdown.ts";
import { progressText, reportText } from "../worker/indexReport.ts";
import type { FolderReadiness } from "../worker/readiness.ts";

/** `/index`: brings the index in step with the files, and says what there was to do. */
export async function answerIndex(
	readiness: Pick<FolderReadiness, "index">,
	stream: vscode.ChatResponseStream,
	signal: AbortSignal,
): Promise<void> {
	const report = await readiness.index(
		{ rebuild: false },
		(at) => stream.progress(escapeMarkdown(progressText(at))),
		signal,
	);
	stream.markdown(reportText(report));
}
