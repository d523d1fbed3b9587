import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import type { Citation } from "../../src/core/knowledge/citation.ts";
import type { TranscriptTurn } from "../../src/core/session/session.ts";
import type { Dispatch } from "../model/event.ts";
import { action, icon } from "../parts/elements.ts";
import { l10n } from "../parts/l10n.ts";
import { renderMarkdown } from "../parts/markdown.ts";
import { compactNumber, exactTime, timeAgo } from "../parts/text.ts";
import { stepList } from "./stepList.ts";
import { type StepNode, stepTree } from "./stepTree.ts";
import { turnStep } from "./turnStep.ts";
import { stepsOf } from "./turnSteps.ts";

export interface TurnView {
	readonly session: string;
	readonly turn: TranscriptTurn;
	readonly now: number;
	/** Whether it may still be at work. */
	readonly isLive: boolean;
	readonly isTarget: boolean;
	/** Whether the chain that it ran can go on. */
	readonly isResumable: boolean;
}

/** A question, what was done for it, and the answer. */
export function turnArticle(view: TurnView, dispatch: Dispatch): TemplateResult {
	const { turn, isTarget } = view;
	const stages = stepTree(turn, view);
	return html`<article id="turn-${turn.turn}" class="turn ${isTarget ? "target" : ""}" aria-label=${l10n.t("Turn {0}", turn.turn + 1)}>
		<h3 class="question">${turn.command ? html`<span class="command">/${turn.command}</span> ` : nothing}${turn.question}</h3>
		${attachments(turn)}
		${guard(changing(view, stages), () => turnBody(view, stages, dispatch))}
		${ending(view)}
		${footer(view, dispatch)}
	</article>`;
}

/** What of a turn can still change: while another one runs, those that are over are not drawn again. */
function changing({ turn, now, isResumable }: TurnView, stages: readonly (readonly StepNode[])[]): unknown[] {
	const isWatched = stages.flat().some(({ state }) => state === "working" || state === "stalled");
	return [turn.turn, turn.answer, turn.events.length, turn.outcome, isResumable, isWatched && now];
}

function attachments({ attachments: names }: TranscriptTurn): TemplateResult | typeof nothing {
	if (names.length === 0) return nothing;
	return html`<ul class="attachments" aria-label=${l10n.t("Attached")}>
		${names.map((name) => html`<li>${icon("attach")}${name}</li>`)}
	</ul>`;
}

function turnBody(
	{ turn, now, isResumable }: TurnView,
	stages: readonly (readonly StepNode[])[],
	dispatch: Dispatch,
): TemplateResult {
	const openCitation = (citation: Citation) =>
		dispatch({ kind: "wanted", request: { kind: "openCitation", citation } });
	return html`
		${stepsOf(turn.events.filter(({ step }) => step === undefined)).map((step) => turnStep(step, openCitation))}
		${stepList({ stages, now, isResumable, openCitation }, dispatch)}
		${renderMarkdown(turn.answer, {
			openCitation,
			openLink: (href) => dispatch({ kind: "wanted", request: { kind: "openLink", href } }),
		})}
	`;
}

/** How a turn ended, where it is not by an answer. */
function ending({ turn, isLive }: TurnView): TemplateResult | typeof nothing {
	switch (turn.outcome) {
		case "done":
			return nothing;
		case "failed":
			return endingNote("error", turn.error ?? l10n.t("The turn failed."));
		case "cancelled":
			return endingNote("debug-stop", l10n.t("Stopped"));
		case "roundLimit":
			return endingNote("warning", l10n.t("The model wanted more tool calls than allowed."));
		default:
			return isLive
				? endingNote("loading codicon-modifier-spin", l10n.t("Working…"))
				: endingNote("warning", l10n.t("Interrupted before it ended"));
	}
}

function endingNote(name: string, words: string): TemplateResult {
	return html`<p class="ending ${name === "error" ? "problem" : ""}">${icon(name)}<span>${words}</span></p>`;
}

function footer({ session, turn, now }: TurnView, dispatch: Dispatch): TemplateResult {
	const turns = turn.turn + 1;
	return html`<footer>
		<span class="dim" title=${exactTime(turn.at)}>${timeAgo(turn.at, now)}</span>
		${turn.tokens > 0 ? html`<span class="dim">${l10n.t("{0} tokens", compactNumber(turn.tokens))}</span>` : nothing}
		<span class="grow"></span>
		${action({
			icon: "repo-forked",
			label: l10n.t("Fork after turn {0}", turns),
			run: () => dispatch({ kind: "wanted", request: { kind: "forkSession", session, turns } }),
		})}
	</footer>`;
}
