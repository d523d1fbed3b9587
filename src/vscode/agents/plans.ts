import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { l10n } from "vscode";
import { Failure } from "../../base/failure.ts";
import { escapeMarkdown, fenced } from "../../base/text/visibleText.ts";
import type { Chain } from "../../core/agent/chain.ts";
import type { Draft, Orchestrator } from "../../orchestrator/orchestrator.ts";
import { type ChainEdit, editChain, stepsOf } from "../../orchestrator/plan/editChain.ts";
import type { Judgement, Plan } from "../../orchestrator/plan/plan.ts";
import { numeral, translated } from "../l10n.ts";
import { sendToChat } from "../models/passagesModel.ts";
import { type MarkdownViewer, registerEach } from "../registerEach.ts";

export type Plans = ReturnType<typeof createPlans>;

interface EditItem extends vscode.QuickPickItem {
	/** Absent if the item runs the plan. */
	readonly edit?: (chain: Chain) => Chain | Promise<Chain | undefined>;
}

const EDITS: readonly (readonly [kind: Exclude<ChainEdit["kind"], "add">, label: string, icon: string])[] = [
	["earlier", vscode.l10n.t("Move Earlier"), "arrow-up"],
	["later", vscode.l10n.t("Move Later"), "arrow-down"],
	["beside", vscode.l10n.t("Run in Parallel with the Previous Stage"), "split-horizontal"],
	["alone", vscode.l10n.t("Run in Its Own Stage"), "list-ordered"],
	["drop", vscode.l10n.t("Remove"), "trash"],
];

export function createPlans(orchestrator: () => Promise<Orchestrator>, documents: MarkdownViewer) {
	const drafts = new Map<unknown, Draft>();
	const keep = (draft: Draft) => {
		const id = randomUUID();
		drafts.set(id, draft);
		return id;
	};
	const run = (id: unknown) => sendToChat(`@copilot-ld /agents run ${id}`);
	const commands = registerEach<[id: unknown, step?: unknown]>({
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
		"copilot-ld.resumeAgentChain": (session = "", step) => {
			const words = `${typeof step === "string" ? `retry ${step}` : "resume"} ${session}`.trim();
			return sendToChat(`@copilot-ld /agents ${words}`);
		},
	});
	return {
		buttonsFor: (draft: Draft): readonly vscode.Command[] => {
			const given = { arguments: [keep(draft)] };
			return [
				{ command: "copilot-ld.runAgentPlan", title: vscode.l10n.t("Run"), ...given },
				{ command: "copilot-ld.editAgentPlan", title: vscode.l10n.t("Edit…"), ...given },
				{ command: "copilot-ld.dryRunAgentPlan", title: vscode.l10n.t("Dry Run"), ...given },
			];
		},
		/** Returns the plan that a button runs. Throws a `Failure` if a reload of the window removed the plan. */
		take: (id: string) => {
			const draft = drafts.get(id);
			if (draft) return draft;
			const gone = vscode.l10n.t("This plan is no longer available. Ask for it again with /agents.");
			throw new Failure("NOT_FOUND", gone);
		},
		dispose: () => commands.dispose(),
	};
}

async function editPlan(orchestrator: Orchestrator, draft: Draft): Promise<Draft | undefined> {
	for (let now = draft; ; ) {
		const { chain } = now.plan;
		const item = await vscode.window.showQuickPick(itemsFor(now), { title: chainText(chain) });
		if (!item) return undefined;
		if (!item.edit) return now;
		const changed = await item.edit(chain);
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
		{ label: vscode.l10n.t("Run This Plan"), iconPath: new vscode.ThemeIcon("run-all") },
		{ label: vscode.l10n.t("Add an Agent…"), iconPath: new vscode.ThemeIcon("add"), edit: add },
		...steps,
	];
}

async function pickEdit(chain: Chain, step: string): Promise<Chain | undefined> {
	const items = EDITS.map(([edit, label, icon]) => ({ label, iconPath: new vscode.ThemeIcon(icon), edit }));
	const picked = await vscode.window.showQuickPick(items, { title: step });
	return picked && editChain(chain, { kind: picked.edit, step });
}

/** Formats a chain as the user types it: `a > b & c`, without conditions. */
function chainText({ stages }: Chain): string {
	return stages.map(({ steps }) => steps.map(({ agent }) => agent).join(" & ")).join(" > ");
}

export function planMarkdown({ plan }: Draft): string {
	const { task, steps, rationale, tokens } = plan;
	const changed = task.changes.map(quoted);
	return [
		l10n.t("**Plan** for: {0}", escapeMarkdown(task.refined)),
		...changed,
		...steps.map(stepMarkdown),
		`${said(rationale.replace(/\.?$/, "."))} ${l10n.t("About {0} tokens in total at first. This is an estimate, without the results of tools.", numeral(tokens))}`,
	].join("\n\n");
}

/** Formats a step as a list: a chat is too narrow for tables. Steps with equal numbers run in parallel. */
function stepMarkdown({ stage, agent, why, tools, mayChange, tokens }: Plan["steps"][number]): string {
	const lines = [
		`**${stage + 1}. ${escapeMarkdown(agent.name)}** ${mayChange ? l10n.t("may change files and run commands") : l10n.t("only reads")}`,
		`- ${l10n.t("Why: {0}", why.map(said).join("; "))}`,
		`- ${tools ? l10n.t("Tools: {0}", tools.map(escapeMarkdown).join(", ")) : l10n.t("Tools: all that the rules allow")}`,
		`- ${l10n.t("Reads about {0} tokens at first", numeral(tokens))}`,
	];
	return lines.join("\n");
}

export function dryRunMarkdown({ plan }: Draft): string {
	const steps = plan.steps.map(({ id, stage, agent, prompt }) =>
		[
			`## ${l10n.t("Stage {0}: {1}", stage + 1, escapeMarkdown(id))}`,
			l10n.t("Persona:"),
			fenced(agent.persona),
			l10n.t("Prompt:"),
			fenced(prompt),
		].join("\n\n"),
	);
	return [
		`# ${l10n.t("Dry run: {0}", escapeMarkdown(chainText(plan.chain)))}`,
		l10n.t("Nothing was run."),
		...steps,
	].join("\n\n");
}

export function judgementMarkdown({ evaluation, refinement, selection }: Judgement): string {
	const { question } = evaluation;
	const ranked = selection.ranked.slice(0, MOST_SHOWN).map(({ agent, score, because }) => {
		const why = because.map(translated).join("; ");
		return `- **${escapeMarkdown(agent.name)}** ${numeral(score)}: ${escapeMarkdown(why)}`;
	});
	return [
		question === undefined ? l10n.t("**Clear.**") : `${l10n.t("**Not clear.**")} ${said(question)}`,
		...(refinement.changes.length > 0 ? [l10n.t("Clearer: {0}", escapeMarkdown(refinement.prompt))] : []),
		...refinement.changes.map(quoted),
		said(selection.rationale),
		...(ranked.length > 0 ? [ranked.join("\n")] : []),
	].join("\n\n");
}

const MOST_SHOWN = 3;

function said(words: string): string {
	return escapeMarkdown(translated(words));
}

function quoted(words: string): string {
	return `> ${said(words)}`;
}
