import { html, nothing, type TemplateResult } from "lit";
import { guard } from "lit/directives/guard.js";
import { repeat } from "lit/directives/repeat.js";
import type { SessionSummary, Transcript, TranscriptTurn } from "../../src/core/session/session.ts";
import { type Dispatch, menuOf, type OpenSession, type ViewState, wanted } from "../model/state.ts";
import { action, button, icon, loadingNote, openMenu, SPINNING } from "../parts/elements.ts";
import { compactNumber, duration, exactTime, l10n, timeAgo } from "../parts/l10n.ts";
import { renderMarkdown } from "../parts/markdown.ts";
import {
	closeSession,
	rename,
	resumeChain,
	scrollTranscript,
	sessionFacts,
	stopStep,
} from "./sessionActions.ts";
import { isLiveTurn, isWhole, resumableTurn, type StepNode, stepTree } from "./stepTree.ts";
import { stepsOf, turnStep } from "./turnStep.ts";

export function transcriptPane(state: ViewState, open: OpenSession, dispatch: Dispatch): TemplateResult {
	const { transcript } = open;
	return html`<section class="pane" aria-label=${l10n.t("Session")} data-vscode-context=${transcript ? menuOf(transcript.session, "transcript") : nothing} @keydown=${(event: KeyboardEvent) => onKey(event, open, dispatch)}>
		${header(state, transcript?.session, dispatch)}
		<div id="transcript" class="scroll transcript" tabindex="0" role="region" aria-label=${l10n.t("Transcript")}
			@scrollend=${({ currentTarget }: Event) => dispatch(scrollTranscript((currentTarget as Element).scrollTop))}
		>
			${transcript ? turns(transcript, state, dispatch) : loadingNote()}
		</div>
	</section>`;
}

function header(state: ViewState, session: SessionSummary | undefined, dispatch: Dispatch): TemplateResult {
	return html`<header class="title-bar">
			${action("arrow-left", l10n.t("Back to Sessions (Escape)"), () => dispatch(closeSession))}
			<h2 title=${session?.title ?? ""}>${session?.title ?? ""}</h2>
			${session ? action("ellipsis", l10n.t("More Actions"), openMenu) : nothing}
		</header>
		${session ? resumeBar(session, state.now, dispatch) : nothing}`;
}

function resumeBar(session: SessionSummary, now: number, dispatch: Dispatch): TemplateResult {
	return html`<div class="resume-bar">
		<button type="button" class="button" @click=${() => dispatch(wanted({ kind: "resumeSession", session: session.id }))}
			>${icon("comment-discussion")}${l10n.t("Resume in Chat")}</button>
		<span class="dim ellipsis">${sessionFacts(session, true)} · ${timeAgo(session.updatedAt, now)}</span>
	</div>`;
}

function turns(transcript: Transcript, state: ViewState, dispatch: Dispatch): TemplateResult {
	const { now, sessions } = state;
	const { session, turns: all } = transcript;
	const resumable = resumableTurn(transcript, now);
	return html`${repeat(
		all,
		({ turn }) => turn,
		(turn) => {
			const isLive = isLiveTurn(transcript, turn, now);
			const [isTarget, isResumable] = [turn.turn === sessions.open?.turn, turn === resumable];
			return turnArticle({ session: session.id, turn, now, isLive, isTarget, isResumable }, dispatch);
		},
	)}`;
}

function onKey(event: KeyboardEvent, { transcript }: OpenSession, dispatch: Dispatch): void {
	if (event.defaultPrevented) return;
	if (event.key === "Escape") dispatch(closeSession);
	else if (event.key === "F2" && transcript) dispatch(rename(transcript.session));
	else return;
	event.preventDefault();
}

interface TurnView {
	readonly session: string;
	readonly turn: TranscriptTurn;
	readonly now: number;
	readonly isLive: boolean;
	readonly isTarget: boolean;
	readonly isResumable: boolean;
}

function turnArticle(view: TurnView, dispatch: Dispatch): TemplateResult {
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

/** Parts of a turn that may change. A turn is drawn again only if one of these parts has changed. */
function changing({ turn, now, isResumable }: TurnView, stages: Stages): unknown[] {
	const isWatched = stages.flat().some(({ state }) => state === "working" || state === "stalled");
	return [turn.turn, turn.answer, turn.events.length, turn.outcome, isResumable, isWatched && now];
}

function attachments({ attachments: names }: TranscriptTurn): TemplateResult | typeof nothing {
	if (names.length === 0) return nothing;
	return html`<ul class="attachments" aria-label=${l10n.t("Attached")}>
		${names.map((name) => html`<li>${icon("attach")}${name}</li>`)}
	</ul>`;
}

function turnBody(view: TurnView, stages: Stages, dispatch: Dispatch): TemplateResult {
	const { answer, events } = view.turn;
	return html`
		${stepsOf(events.filter(({ step }) => step === undefined)).map((step) => turnStep(step, dispatch))}
		${stages.length === 0 ? nothing : stepList(view, stages, dispatch)}
		${renderMarkdown(answer, {
			openCitation: (citation) => dispatch(wanted({ kind: "openCitation", citation })),
			openLink: (href) => dispatch(wanted({ kind: "openLink", href })),
		})}
	`;
}

const ENDINGS = {
	failed: ["error", l10n.t("The turn failed.")],
	cancelled: ["debug-stop", l10n.t("Stopped")],
	roundLimit: ["warning", l10n.t("The model wanted more tool calls than allowed.")],
	live: [SPINNING, l10n.t("Working…")],
	lost: ["warning", l10n.t("Interrupted before it ended")],
} as const;

function ending({ turn: { outcome, error }, isLive }: TurnView): TemplateResult | typeof nothing {
	if (outcome === "done") return nothing;
	const [name, words] = ENDINGS[outcome ?? (isLive ? "live" : "lost")];
	return html`<p class="ending ${name === "error" ? "problem" : ""}">${icon(name)}<span>${error ?? words}</span></p>`;
}

function footer({ session, turn, now }: TurnView, dispatch: Dispatch): TemplateResult {
	const turns = turn.turn + 1;
	const fork = () => dispatch(wanted({ kind: "forkSession", session, turns }));
	return html`<footer>
		<span class="dim" title=${exactTime(turn.at)}>${timeAgo(turn.at, now)}</span>
		${turn.tokens > 0 ? html`<span class="dim">${l10n.t("{0} tokens", compactNumber(turn.tokens))}</span>` : nothing}
		<span class="grow"></span>
		${action("repo-forked", l10n.t("Fork after turn {0}", turns), fork)}
	</footer>`;
}

const STATES: Readonly<Record<StepNode["state"], { readonly icon: string; readonly words: string }>> = {
	waiting: { icon: "circle-large-outline", words: l10n.t("waiting") },
	unbegun: { icon: "circle-slash", words: l10n.t("not started") },
	working: { icon: SPINNING, words: l10n.t("running") },
	stalled: { icon: "warning", words: l10n.t("not responding") },
	lost: { icon: "warning", words: l10n.t("interrupted") },
	succeeded: { icon: "pass", words: l10n.t("done") },
	failed: { icon: "error", words: l10n.t("failed") },
	timedOut: { icon: "watch", words: l10n.t("timed out") },
	skipped: { icon: "debug-step-over", words: l10n.t("skipped") },
	cancelled: { icon: "debug-stop", words: l10n.t("stopped") },
};

type Stages = readonly (readonly StepNode[])[];

function stepList(view: TurnView, stages: Stages, dispatch: Dispatch): TemplateResult {
	const of = stages.flat().reduce((sum, node) => sum + node.tokens, 0);
	const canGoOn = view.isResumable && !isWhole(stages);
	return html`<ol class="stages" aria-label=${l10n.t("Steps")}>
		${stages.map(
			(stage) =>
				html`<li>
					<ul class="stage" aria-label=${stage.length > 1 ? l10n.t("{0} parallel steps", stage.length) : nothing}>
						${stage.map((node) => html`<li>${stepNode({ ...node, of }, view, dispatch)}</li>`)}
					</ul>
				</li>`,
		)}
	</ol>${canGoOn ? button(l10n.t("Resume Chain in Chat"), () => dispatch(resumeChain())) : nothing}`;
}

/** `of` is the number of tokens that all steps of the chain have used. */
type SharedNode = StepNode & { readonly of: number };

function stepNode(node: SharedNode, view: TurnView, dispatch: Dispatch): TemplateResult {
	const { agent, state, run, events } = node;
	const text = run?.ended?.text ?? "";
	return html`<div class="branch">
		<details class="step ${state}">
			<summary>
				${icon(STATES[state].icon)}<span class="grow"><strong>${agent}</strong> ${facts(node, view.now)}</span
				>${icon("chevron-right")}
			</summary>
			<div class="body">
				${stepsOf(events).map((step) => turnStep(step, dispatch))}
				${text === "" ? nothing : html`<p class="plain">${text}</p>`}
			</div>
		</details>
		${controls(node, view, dispatch)}
	</div>`;
}

function facts({ state, run, age, tokens, of }: SharedNode, now: number): TemplateResult {
	const isStalled = state === "stalled" && run;
	const parts = [
		isStalled ? l10n.t("not responding for {0}", duration(now - run.heardAt)) : STATES[state].words,
	];
	if (run?.tool && !run.ended) parts.push(run.tool);
	if (age >= 1000) parts.push(duration(age));
	if (tokens > 0) parts.push(l10n.t("{0} tokens", compactNumber(tokens)) + shareOf(tokens, of));
	if (run && run.attempt > 1) parts.push(l10n.t("try {0}", run.attempt));
	return html`<span class=${state === "stalled" || state === "failed" ? "alarm" : "dim"}>${parts.join(" · ")}</span>`;
}

function shareOf(tokens: number, of: number): string {
	return tokens < of ? ` (${Math.round((100 * tokens) / of)}%)` : "";
}

function controls(node: StepNode, view: TurnView, dispatch: Dispatch): TemplateResult | typeof nothing {
	const { step, agent, run, state } = node;
	const session = run?.session;
	if (view.isResumable && run)
		return action("debug-restart", l10n.t("Retry from {0}", agent), () => dispatch(resumeChain(step)));
	if (!session || (state !== "working" && state !== "stalled")) return nothing;
	return action("debug-stop", l10n.t("Stop {0}", agent), () => dispatch(stopStep(session)));
}
