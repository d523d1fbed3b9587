import * as vscode from "vscode";
import { boundedText, visibleText } from "../../base/text/visibleText.ts";
import type { PermissionRequest, RequestArgument, RuleScope } from "../../core/permission/permission.ts";
import { describeRule } from "../../core/permission/ruleText.ts";
import type { AskPerson, PermissionQuestion, PersonsAnswer, RuleOffer } from "../../permissions/decide.ts";
import { told, toldOf, translated } from "../l10n.ts";
import type { TextViewer } from "../registerEach.ts";
import type { Question, Questions } from "./questions.ts";

/** A call with details that the user sees, and rules do not. */
export interface ShownCall extends PermissionQuestion {
	/** The agent's or model's own description of the call; untrusted. */
	readonly agentsWords?: string;
	readonly input?: unknown;
	/** Whether the call belongs to a turn that can be ended. */
	readonly canStop?: boolean;
	openChange?(): Promise<void>;
}

export function createPermissionPick(questions: Questions, documents: TextViewer): AskPerson<ShownCall> {
	return (call, signal) => {
		const asked: Question<PersonsAnswer> = {
			who: questions.whoIs(call.request.session, call.request.agent),
			what: boundedText(callText(call.request), LISTED),
			open: () => openPick(call, documents),
			settled: async () => ((await call.isOpen()) ? undefined : { kind: "ruled" }),
		};
		return questions.ask(asked, signal);
	};
}

const LISTED = 80;
const SHOWN_CHARACTERS = 400;
const AGENT_WORDS_CHARACTERS = 120;

interface Choice extends vscode.QuickPickItem {
	/** `typed` is the current input, which may have changed since the choice was created. */
	choose(typed: string): void;
}

interface Step {
	readonly placeholder: string;
	readonly isFirst?: boolean;
	choices(typed: string): Choice[];
}

function openPick(call: ShownCall, documents: TextViewer): ReturnType<Question<PersonsAnswer>["open"]> {
	const { promise: answer, resolve } = Promise.withResolvers<PersonsAnswer | undefined>();
	const pick = vscode.window.createQuickPick<Choice>();
	let step: Step;
	const go = (next: Step) => {
		step = next;
		pick.value = "";
		pick.placeholder = step.placeholder;
		pick.buttons = step.isFirst ? [] : [vscode.QuickInputButtons.Back];
		pick.items = step.choices("");
	};
	const showWhole = () => documents.open(vscode.l10n.t("Call.txt"), wholeText(call)).catch(report);
	const first = firstStep(call, { go, answer: resolve, showWhole });
	pick.prompt = boundedText(callText(call.request), SHOWN_CHARACTERS);
	pick.ignoreFocusOut = true;
	pick.onDidChangeValue((typed) => {
		if (!step.isFirst) pick.items = step.choices(typed);
	});
	pick.onDidTriggerButton(() => go(first));
	pick.onDidAccept(() => pick.selectedItems[0]?.choose(pick.value));
	pick.onDidHide(() => resolve(undefined));
	go(first);
	return { pick, answer };
}

interface Doing {
	go(step: Step): void;
	answer(answer: PersonsAnswer): void;
	showWhole(): void;
}

function firstStep(call: ShownCall, doing: Doing): Step {
	const { agentsWords = "", openChange, canStop } = call;
	const words = boundedText(visibleText(agentsWords), AGENT_WORDS_CHARACTERS);
	const detail = words === "" ? "" : vscode.l10n.t("In the agent's own words: “{0}”", words);
	const showChange = () => void openChange?.().catch(report);
	const choices = [
		// A harmless choice comes first, so that a stray Enter allows nothing.
		{ ...choice("eye", vscode.l10n.t("Show Full Command"), doing.showWhole), detail },
		...(openChange ? [choice("diff", vscode.l10n.t("Show Change"), showChange)] : []),
		choice("check", vscode.l10n.t("Allow Once"), () => doing.answer({ kind: "once" })),
		...ruleChoices(call, doing),
		...denials(doing, canStop ?? false),
	];
	return { isFirst: true, placeholder: questionFor(call.request), choices: () => choices };
}

function choice(icon: string, label: string, choose: Choice["choose"]): Choice {
	return { label, iconPath: new vscode.ThemeIcon(icon), choose };
}

/** Asks the question with visible characters only: an agent's name comes from its file. */
function questionFor({ tool, agent }: PermissionRequest): string {
	const named = boundedText(visibleText(tool), LISTED);
	if (agent === undefined) return vscode.l10n.t("Allow {0} to do this?", named);
	return vscode.l10n.t("{0} wants to use {1}. Allow it?", boundedText(visibleText(agent), LISTED), named);
}

const SCOPES: readonly (readonly [Exclude<RuleScope, "once">, string])[] = [
	["session", vscode.l10n.t("Allow in This Session")],
	["workspace", vscode.l10n.t("Allow in This Workspace")],
	["always", vscode.l10n.t("Always Allow")],
];

/** Returns choices that add a rule. If several rules are offered, a second step asks which one. */
function ruleChoices({ offers }: ShownCall, { go, answer }: Doing): Choice[] {
	const [only, ...others] = offers;
	if (!only) return [];
	const freed = (offer: RuleOffer) => boundedText(visibleText(told(offer.frees)), LISTED);
	return SCOPES.map(([scope, label]) => {
		const allow = (offer: RuleOffer) => () => answer({ kind: "rule", scope, offer });
		if (others.length === 0) return { label, description: freed(only), choose: allow(only) };
		const choices = offers.map((offer) => ({ label: freed(offer), choose: allow(offer) }));
		const step: Step = { placeholder: vscode.l10n.t("{0}: select what", label), choices: () => choices };
		return { label: `${label}…`, choose: () => go(step) };
	});
}

function denials({ go, answer }: Doing, canStop: boolean): Choice[] {
	const deny = (choose: Choice["choose"]) => choice("circle-slash", vscode.l10n.t("Deny"), choose);
	const denyWith = (typed: string) => {
		const reason = typed.trim();
		answer({ kind: "deny", ...(reason !== "" && { reason }) });
	};
	const reasonStep: Step = {
		placeholder: vscode.l10n.t("Reason for denying (the model will read it)"),
		choices: (typed) => [{ ...deny(denyWith), detail: visibleText(typed.trim()), alwaysShow: true }],
	};
	const stop = () => answer({ kind: "deny", andStop: true });
	const stopping = choice("debug-stop", vscode.l10n.t("Deny and Stop"), stop);
	return [
		{ ...deny(() => answer({ kind: "deny" })), description: vscode.l10n.t("The agent continues without it") },
		choice("comment", vscode.l10n.t("Deny with a Reason…"), () => go(reasonStep)),
		...(canStop ? [{ ...stopping, description: vscode.l10n.t("Ends the turn") }] : []),
	];
}

export const KINDS: Readonly<Record<RequestArgument["kind"], string>> = {
	command: vscode.l10n.t("command"),
	path: vscode.l10n.t("path"),
	host: vscode.l10n.t("host"),
	text: vscode.l10n.t("text"),
};

/** Formats the action itself, with no untrusted text before it. */
function callText({ arguments: args, title }: PermissionRequest): string {
	const [first, ...others] = args;
	if (!first) return translated(title);
	if (others.length === 0) return visibleText(first.value);
	return args.map(({ kind, value }) => `${KINDS[kind]} ${visibleText(value)}`).join(" · ");
}

function wholeText({ request, agentsWords, input, rule }: ShownCall): string {
	const parts: readonly (readonly [name: string, text: string | undefined])[] = [
		...request.arguments.map(({ kind, value }) => [KINDS[kind], value] as const),
		[vscode.l10n.t("tool"), request.tool],
		[vscode.l10n.t("agent"), request.agent],
		[vscode.l10n.t("full input"), JSON.stringify(input, undefined, 2)],
		[vscode.l10n.t("asked because of a rule"), rule && told(describeRule(rule))],
		[vscode.l10n.t("the agent's own words, which may be wrong"), agentsWords || undefined],
	];
	return parts
		.flatMap(([name, text]) => (text === undefined ? [] : `${name}:\n${indented(text)}\n`))
		.join("\n");
}

function indented(text: string): string {
	const lines = text.split("\n").map((line) => `    ${visibleText(line)}`);
	return lines.join("\n");
}

function report(thrown: unknown): void {
	void vscode.window.showErrorMessage(toldOf(thrown));
}
