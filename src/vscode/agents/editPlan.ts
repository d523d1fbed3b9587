import * as vscode from "vscode";
import type { Chain } from "../../core/agent/chain.ts";
import type { Draft, Orchestrator } from "../../orchestrator/orchestrator.ts";
import { type ChainEdit, editChain, stepsOf } from "../../orchestrator/plan/editChain.ts";
import { chainText } from "./planText.ts";

interface EditItem extends vscode.QuickPickItem {
	readonly edit?: (chain: Chain) => Chain | Promise<Chain | undefined>;
	readonly isRun?: boolean;
}

const EDITS: readonly (readonly [kind: Exclude<ChainEdit["kind"], "add">, label: string])[] = [
	["earlier", `$(arrow-up) ${vscode.l10n.t("Move Earlier")}`],
	["later", `$(arrow-down) ${vscode.l10n.t("Move Later")}`],
	["beside", `$(split-horizontal) ${vscode.l10n.t("Run in Parallel with the Previous Stage")}`],
	["alone", `$(list-ordered) ${vscode.l10n.t("Run in Its Own Stage")}`],
	["drop", `$(trash) ${vscode.l10n.t("Remove")}`],
];

/** Lets the person change a plan until they run it; `undefined` where they give up. */
export async function editPlan(
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
		{ label: `$(run-all) ${vscode.l10n.t("Run This Plan")}`, isRun: true },
		{ label: `$(add) ${vscode.l10n.t("Add an Agent…")}`, edit: add },
		...steps,
	];
}

async function pickEdit(chain: Chain, step: string): Promise<Chain | undefined> {
	const items = EDITS.map(([kind, label]) => ({ label, edit: kind }));
	const picked = await vscode.window.showQuickPick(items, { title: step });
	return picked && editChain(chain, { kind: picked.edit, step });
}
