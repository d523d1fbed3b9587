import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { SessionSummary, Transcript } from "../../src/core/session/session.ts";
import { type Dispatch, type OpenSession, type ViewState, wanted } from "../model/state.ts";
import { action, icon, loadingNote, openMenu } from "../parts/elements.ts";
import { l10n, timeAgo } from "../parts/l10n.ts";
import { closeSession, rename, scrollTranscript, sessionFacts } from "./sessionActions.ts";
import { menuOf } from "./sessionMenu.ts";
import { isLiveTurn, resumableTurn } from "./stepTree.ts";
import { turnArticle } from "./turn.ts";

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
