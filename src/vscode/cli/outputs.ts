import { l10n } from "vscode";
import { Failure } from "../../base/failure.ts";
import { fenced } from "../../base/text/visibleText.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { MarkdownViewer } from "../registerEach.ts";

/** What is kept of all calls together; the oldest go first. */
const CHARACTERS = 20_000_000;

export function createCliOutputs(documents: MarkdownViewer) {
	const texts = new Map<string, string>();
	let kept = 0;
	const forget = (callId: string) => {
		kept -= texts.get(callId)?.length ?? 0;
		texts.delete(callId);
	};
	return {
		note: (event: AgentEvent) => {
			if (event.kind !== "toolFinished") return;
			forget(event.call.id);
			texts.set(event.call.id, event.text);
			kept += event.text.length;
			for (const oldest of texts.keys()) {
				if (kept <= CHARACTERS) return;
				forget(oldest);
			}
		},
		show: async (callId: unknown) => {
			const text = typeof callId === "string" ? texts.get(callId) : undefined;
			if (text === undefined)
				throw new Failure(
					"NOT_FOUND",
					l10n.t("This output is no longer available. Ask the CLI to run the command again."),
				);
			await documents.show(l10n.t("Output of the Copilot CLI.md"), fenced(text, "text"));
		},
	};
}
