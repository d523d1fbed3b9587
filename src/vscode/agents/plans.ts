import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { Chain } from "../../core/agent/chain.ts";
import type { Draft, Orchestrator } from "../../orchestrator/orchestrator.ts";
import { type ChainEdit, editChain, stepsOf } from "../../orchestrator/plan/editChain.ts";
import { sendToChat } from "../models/sendToChat.ts";
import type { MarkdownViewer } from "../virtualDocuments.ts";
import { chainText, dryRunMarkdown } from "./planText.ts";

/** Plans that were shown in a chat, and the buttons below them. */
export interface Plans extends vscode.Disposable {
	buttonsFor(draft: Draft): readonly vscode.Command[];
	/** The plan that a button runs; `undefined` where the window was loaded anew. */
	take(id: string): Draft | undefined;
}

interface EditItem extends vscode.QuickPickItem {
	readonly edit?: (chain: Chain) => Chain | Promise<Chain | undefined>;
	readonly isRun?: boolean;
}

const EDITS: readonly (readonly [kind: Exclude<ChainEdit["kind"], "add">, label: string, icon: string])[] = [
	["earlier", vscode.l10n.t("Move Earlier"), "arrow-up"],
	["later", vscode.l10n.t("Move Later"), "arrow-down"],
	["beside", vscode.l10n.t("Run in Parallel with the Previous Stage"), "split-horizontal"],
	["alone", vscode.l10n.t("Run in Its Own Stage"), "list-ordered"],
	["drop", vscode.l10n.t("Remove"), "trash"],
];

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

/** Lets the person change a plan until they run it; `undefined` where they give up. */
async function editPlan(
	orchestrator: Pick<Orchestrator, "replan">,
	draft: Draft,
): Promise<Draft | undefined> {
	for (let now = draft; ; ) {
		const { chain } = now.plan;
		const item = await vscode.window.showQuickPick(itemsFor(now), { title: chainText(chain) });
		if (!item) return undefined;
		if (item.isRun) return now;
		const changed = await item.edit?.(chain);
		if (changed && stepsOf(changed).length > 0) now = orchestrator.replan(now, changed);
	}
}

function itemsFor({ plan, agents }: Draft): EditItem[] {
	const steps = plan.steps.map(({ id, stage, agent }): EditItem => {
		const edit = (chain: Chain) => pickEdit(chain, id);
		return { label: id, description: vscode.l10n.t("stage {0}", stage + 1), detail: agent.description, edit };
	});
	const add = async (chain: Chain) => {
		const items = agents.map(({ name, description }) => ({ label: name, detail: description }));
		const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t("Add an Agent") });
		return picked && editChain(chain, { kind: "add", agent: picked.label });
	};
	return [
		{ label: vscode.l10n.t("Run This Plan"), iconPath: new vscode.ThemeIcon("run-all"), isRun: true },
		{ label: vscode.l10n.t("Add an Agent…"), iconPath: new vscode.ThemeIcon("add"), edit: add },
		...steps,
	];
}

async function pickEdit(chain: Chain, step: string): Promise<Chain | undefined> {
	const items = EDITS.map(([kind, label, icon]) => ({
		label,
		iconPath: new vscode.ThemeIcon(icon),
		edit: kind,
	}));
	const picked = await vscode.window.showQuickPick(items, { title: step });
	return picked && editChain(chain, { kind: picked.edit, step });
}
