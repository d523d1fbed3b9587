import * as vscode from "vscode";
import { escapeMarkdown } from "../../base/text/visibleText.ts";
import type { IndexProgress } from "../../core/knowledge/knowledge.ts";
import { isCancellation } from "../cancellation.ts";
import { amounts, numeral } from "../l10n.ts";
import type { Answer } from "../turn/turnRecord.ts";
import { progressText, reportText, stoppedText } from "../worker/indexReport.ts";
import type { FolderReadiness } from "../worker/readiness.ts";

/** With fewer files, indexing is over before the user has read a line about it. */
const FEW_FILES = 100;

/** Reports only a few milestones, because each line stays in the chat; the status bar shows the progress. */
export function createMilestones(say: (line: string) => void): (progress?: IndexProgress) => void {
	let half: number | undefined;
	return (progress) => {
		if (!progress) return say(progressText());
		const { done, total } = progress;
		if (half === undefined) {
			if (total - done < FEW_FILES) return;
			half = (done + total) / 2;
			say(
				vscode.l10n.t(
					"Indexing {0}. The status bar shows the progress; if you stop, what is done is kept.",
					amounts.files(total - done),
				),
			);
		} else if (done >= half) {
			half = Number.POSITIVE_INFINITY;
			say(vscode.l10n.t("{0} of {1} indexed", numeral(done), amounts.files(total)));
		}
	};
}

export const answerIndex: Answer<FolderReadiness> = async ({ index }, { stream }, signal) => {
	const report = await withMilestones(stream, (tell) => index({ rebuild: false }, tell, signal));
	stream.markdown(escapeMarkdown(reportText(report)));
};

/** Runs an index update. After a cancellation, the progress is a message, because the chat has ended. */
export async function withMilestones<Result>(
	stream: vscode.ChatResponseStream,
	run: (report: (progress?: IndexProgress) => void) => Promise<Result>,
): Promise<Result> {
	const tell = createMilestones((line) => stream.progress(line));
	let last: IndexProgress | undefined;
	try {
		return await run((progress) => {
			last = progress ?? last;
			tell(progress);
		});
	} catch (thrown) {
		if (isCancellation(thrown) && last)
			void vscode.window.showInformationMessage(
				`Copilot-LD: ${stoppedText(last, vscode.l10n.t("Ask again to continue."))}`,
			);
		throw thrown;
	}
}
