import { l10n } from "vscode";
import { Failure } from "../../base/failure.ts";
import type { Permissions } from "../../core/permission/permission.ts";
import type { RuleDraft, ViewRequest, ViewUpdate } from "../../protocol/webview.ts";
import type { ViewPorts } from "./deps.ts";
import { toldDecision } from "./translatedTurns.ts";

const THIRTY_DAYS = 30 * 24 * 60 * 60_000;

type RuleDeps = Pick<ViewPorts, "permissions" | "workspace">;

export async function addRule(rule: RuleDraft, { permissions, workspace }: RuleDeps): Promise<void> {
	await permissions.add(owned(rule, workspace()));
}

export async function previewRule(
	rule: RuleDraft,
	{ permissions, workspace }: RuleDeps,
): Promise<ViewUpdate> {
	const since = Date.now() - THIRTY_DAYS;
	return {
		kind: "preview",
		rule,
		decisions: (await permissions.preview(owned(rule, workspace()), since)).map(toldDecision),
	};
}

export async function listDecisions(
	{ text, limit }: Extract<ViewRequest, { readonly kind: "listDecisions" }>,
	permissions: Permissions,
): Promise<ViewUpdate> {
	const decisions = await permissions.decisions({ limit, ...(text !== "" && { text }) });
	return { kind: "decisions", text, limit, decisions: decisions.map(toldDecision) };
}

/** A rule of the workspace belongs to this one, unless it says to which. */
function owned(rule: RuleDraft, workspace: string): RuleDraft {
	if (rule.scope !== "workspace" || rule.owner !== undefined) return rule;
	if (workspace === "")
		throw new Failure("NO_FOLDER", l10n.t("Open a folder first: this rule applies to a workspace."));
	return { ...rule, owner: workspace };
}
