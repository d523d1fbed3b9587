import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { Draft, Orchestrator } from "../../orchestrator/orchestrator.ts";
import { sendToChat } from "../models/sendToChat.ts";
import type { MarkdownViewer } from "../virtualDocuments.ts";
import { editPlan } from "./editPlan.ts";
import { chainText, dryRunMarkdown } from "./planText.ts";

/** Plans that were shown in a chat, and the buttons below them. */
export interface Plans extends vscode.Disposable {
	buttonsFor(draft: Draft): readonly vscode.Command[];
	/** The plan that a button runs; `undefined` where the window was loaded anew. */
	take(id: string): Draft | undefined;
}

export function createPlans(
	orchestrator: () => Promise<Pick<Orchestrator, "replan" | "remember">>,
	documents: MarkdownViewer,
): Plans {
	const drafts = new Map<unknown, Draft>();
	const keep = (draft: Draft) => {
		const id = randomUUID();
		drafts.set(id, draft);
		return id;
	};
	const run = (id: unknown) => sendToChat(`@copilot-ld /agents run ${id}`);
	const commands: Record<string, (id: unknown) => unknown> = {
		"copilot-ld.runAgentPlan": (id) => drafts.has(id) && run(id),
		"copilot-ld.editAgentPlan": async (id) => {
			const draft = drafts.get(id);
			const edited = draft && (await editPlan(await orchestrator(), draft));
			if (!edited) return;
			await (await orchestrator()).remember(edited);
			await run(keep(edited));
		},
		"copilot-ld.dryRunAgentPlan": async (id) => {
			const draft = drafts.get(id);
			if (draft)
				await documents.show(
					vscode.l10n.t("Dry run {0}.md", chainText(draft.plan.chain)),
					dryRunMarkdown(draft),
				);
		},
	};
	const registrations = Object.entries(commands).map(([id, act]) => vscode.commands.registerCommand(id, act));
	return {
		buttonsFor: (draft) => {
			const id = keep(draft);
			return [
				{ command: "copilot-ld.runAgentPlan", title: vscode.l10n.t("Run"), arguments: [id] },
				{ command: "copilot-ld.editAgentPlan", title: vscode.l10n.t("Edit…"), arguments: [id] },
				{ command: "copilot-ld.dryRunAgentPlan", title: vscode.l10n.t("Dry Run"), arguments: [id] },
			];
		},
		take: (id) => drafts.get(id),
		dispose: () => vscode.Disposable.from(...registrations).dispose(),
	};
}
