import * as vscode from "vscode";
import type { Question, SessionJournal, TurnJournal } from "../../agent/journal/sessionJournal.ts";
import { messageOf } from "../../base/failure.ts";
import { escapeMarkdown } from "../../base/text/visibleText.ts";
import { STOP_WORDS } from "../../base/words/stopWords.ts";
import type { AgentEvent, ContextReport, Steering, Turn } from "../../core/agent/agentEvent.ts";
import { citationsOf, isQuoted, wordsOf } from "../../core/agent/turnAnswer.ts";
import { type Citation, formatCitation } from "../../core/knowledge/citation.ts";
import type { Hit } from "../../core/knowledge/knowledge.ts";
import type { CitedSpan, Outcome } from "../../core/session/journalEntry.ts";
import { isCancellation } from "../cancellation.ts";
import { toldOf } from "../l10n.ts";
import type { FailureLog } from "../logs.ts";

/** Metadata of a turn in VS Code's chat history, which stores it as JSON. */
export interface TurnRecord {
	readonly sessionId: string;
	/** For a turn that resumed a session: number of turns that the session had before this chat. */
	readonly resumedTurns?: number;
	/** For a turn that resumed a session: turns that the Copilot CLI does not know. */
	readonly unseenByCli?: readonly Turn[];
	/** Whether the answer is a message of the extension, which has no sources to check it against. */
	readonly isOurs?: boolean;
	/** Whether the answer is quoted, so that later models do not get the answer as their own words. */
	readonly isQuoted?: boolean;
	/** Markdown with citations in brackets. */
	readonly answer: string;
	readonly citations: readonly Citation[];
	readonly followups: readonly string[];
	/** The context of the last request to a model; absent if no model was asked. */
	readonly context?: ContextReport;
}

export interface ChatTurn {
	readonly request: vscode.ChatRequest;
	readonly context: vscode.ChatContext;
	readonly stream: vscode.ChatResponseStream;
	readonly session: string;
	readonly prompt: string;
	readonly steering: Steering;
	readonly show: (event: AgentEvent) => void;
	/** Shows a button at the end: VS Code treats the text after a button as the whole answer. */
	readonly offer: (button: vscode.Command) => void;
	readonly add: (more: Partial<TurnRecord>) => void;
}

export type Answer<Deps> = (deps: Deps, turn: ChatTurn, signal: AbortSignal) => Promise<void>;

const OFFERED = 2;

/** Maximum number of follow-ups kept with a turn; the first that were not asked yet are offered. */
const KEPT = 6;

/** Property names that do not fit "the … of": `lit since`, `works for`, `is part of`, `knows`. */
const NO_NOUN =
	/^(?:is|has|was|same|see|\w+[^e]ed) |(?:^| )(?:for|of|by|in|at|on|to|from|with|as|since|\w+[^e]ed|lit|built|born|made|held|kept|known)$|^\w*[^s]s$/;

const STATEMENT = /^([a-z][a-z ]{2,30}): (.+)$/gm;

const SHORTEST_NAME = 3;

/** Builds a turn's record without events of chain steps and plugin calls, which are not in its answer. */
export function recordOf(sessionId: string, question: string, all: readonly AgentEvent[]): TurnRecord {
	const events = all.filter(({ step, within }) => step === undefined && within === undefined);
	const hits = events.flatMap((event) => (event.kind === "retrieved" ? event.hits : []));
	const context = events.findLast((event) => event.kind === "context")?.report;
	const answer = events.map(wordsOf).join("");
	return {
		sessionId,
		answer,
		citations: citationsOf(events),
		followups: followupsOf(question, answer, hits),
		...(context && { context }),
		...(isQuoted(events) && { isQuoted: true }),
	};
}

/** Suggests questions about the named resources: facts in the graph that the answer does not mention. */
export function followupsOf(question: string, answer: string, hits: readonly Hit[]): string[] {
	const asked = question.toLowerCase();
	const named = hits.flatMap((hit) => {
		const name = hit.iri === undefined ? undefined : nameIn(answer, hit.title);
		return name === undefined ? [] : [{ name, hit }];
	});
	const properties = named.flatMap(({ name, hit }) =>
		untold(hit.text, answer, asked).map((property) =>
			vscode.l10n.t("What is the {0} of {1}?", property, name),
		),
	);
	const things = named
		.filter(({ name }) => !asked.includes(name.toLowerCase()))
		.map(({ name }) => vscode.l10n.t("What else is known about {0}?", name));
	const mixed = [
		...properties.slice(0, 1),
		...things.slice(0, 1),
		...properties.slice(1),
		...things.slice(1),
	];
	return [...new Set(mixed)].slice(0, KEPT);
}

export function provideFollowups({ metadata }: vscode.ChatResult, { history }: vscode.ChatContext) {
	const { followups = [] } = (metadata ?? {}) as { readonly followups?: readonly string[] };
	const prompts = history.flatMap((turn) => (turn instanceof vscode.ChatRequestTurn ? [turn.prompt] : []));
	return offered(followups, prompts).map((prompt) => ({ prompt }));
}

export function offered(followups: readonly string[], prompts: readonly string[]): string[] {
	const asked = new Set(prompts.map((prompt) => prompt.trim().toLowerCase()));
	return followups.filter((followup) => !asked.has(followup.toLowerCase())).slice(0, OFFERED);
}

/** Returns a resource's name: the longest end of its title (classes and name) that the answer contains. */
function nameIn(answer: string, title: string): string | undefined {
	const words = title.split(" ");
	const whole = title.toLowerCase();
	const from = words.findIndex((_, from) => {
		const lower = words.slice(from).join(" ").toLowerCase();
		return lower.length >= SHORTEST_NAME && names(answer, lower) && !whole.startsWith(`${lower} `);
	});
	return from < 0 || isPart(words, from) ? undefined : words.slice(from).join(" ");
}

/** Whether an answer contains a whole name, not a part of a longer one (`Skerra` in `Skerra Head`). */
function names(answer: string, lower: string): boolean {
	const text = answer.toLowerCase();
	for (let at = text.indexOf(lower); at >= 0; at = text.indexOf(lower, at + 1)) {
		const [before, after] = [answer.slice(0, at), answer.slice(at + lower.length)];
		if (!/[\p{L}\p{N}]$/u.test(before) && !/^(?:[\p{L}\p{N}]|[ -]\p{Lu})/u.test(after)) return true;
	}
	return false;
}

/** Whether an end of a title is only a part: `siren` of `Skerra siren`, `Rock` of `Relamping of Rock`. */
function isPart(words: readonly string[], from: number): boolean {
	const around = words.slice(Math.max(0, from - 1), from + 1);
	return /^\p{Ll}/u.test(words[from] ?? "") || around.some((word) => STOP_WORDS.has(word.toLowerCase()));
}

function untold(text: string, answer: string, asked: string): string[] {
	const told = answer.toLowerCase();
	return [...text.matchAll(STATEMENT)].flatMap(([, property = "", value = ""]) => {
		const isKnown = told.includes(value.toLowerCase()) || asked.includes(property);
		return isKnown || property === "id" || NO_NOUN.test(property) ? [] : [property];
	});
}

type Show = (event: AgentEvent) => void;

export type LiveTurns = ReturnType<typeof createLiveTurns>;

/** Tracks the running turns of this window by session. Turns of chain steps can be stopped. */
export function createLiveTurns() {
	const live = new Map<string, { readonly show: Show; readonly steps: Set<string>; stop?(): void }>();
	return {
		add: (session: string, show: Show, more: { stop?(): void } = {}) => {
			const turn = { show, steps: new Set<string>(), ...more };
			live.set(session, turn);
			return () => void (live.get(session) === turn && live.delete(session));
		},
		/** Shows and records an event in the session's running turn; `undefined` if no turn is running. */
		showIn: (session: string) => live.get(session)?.show,
		stepsIn: (session: string) => live.get(session)?.steps ?? new Set(),
		stop: (session: string) => {
			const { stop } = live.get(session) ?? {};
			stop?.();
			return stop !== undefined;
		},
	};
}

export type KeptTurn = Awaited<ReturnType<typeof keepTurn>>;

/** Records a turn in the journal, or without a journal only in memory while the turn runs. */
export async function keepTurn(
	journal: SessionJournal | undefined,
	{ session, question }: { readonly session: string; readonly question: Question },
	log: FailureLog,
	say: (markdown: string) => void = () => undefined,
) {
	const events: AgentEvent[] = [];
	let more: Partial<TurnRecord> = {};
	const current = (): TurnRecord => ({ ...recordOf(session, question.text, events), ...more });
	const tell = (thrown: unknown) => {
		log.error(thrown instanceof Error ? thrown : String(thrown));
		say(`\n\n> ${escapeMarkdown(vscode.l10n.t("This turn was not saved: {0}", toldOf(thrown)))}\n\n`);
	};
	let turn: TurnJournal | undefined;
	try {
		turn = await journal?.begin(session, question);
	} catch (thrown) {
		tell(thrown);
	}
	return {
		isWritten: journal !== undefined,
		/** Time of the question in the journal; absent if the turn is not saved. */
		at: turn?.at,
		events,
		note: (event: AgentEvent) => {
			events.push(event);
			turn?.note(event);
		},
		add: (added: Partial<TurnRecord>) => {
			more = { ...more, ...added };
		},
		/** Returns the record for the chat's history so far, also for an interrupted turn. */
		current,
		/** Resolves when the turn is saved, or the user was told that it was not saved. */
		end: async (thrown?: unknown, spans: readonly CitedSpan[] = []) => {
			try {
				const how = thrown
					? failedBy(thrown)
					: { outcome: events.findLast((event) => event.kind === "ended")?.reason ?? "done" };
				await turn?.end({ text: wordsOfTurn(current()), ...how, ...(spans.length > 0 && { spans }) });
			} catch (failure) {
				tell(failure);
			}
		},
	};
}

function failedBy(thrown: unknown): { readonly outcome: Outcome; readonly error?: string } {
	return isCancellation(thrown) ? { outcome: "cancelled" } : { outcome: "failed", error: messageOf(thrown) };
}

/** Returns the answer, or a list of the citations if only passages were shown. */
export function wordsOfTurn({ answer, citations }: TurnRecord): string {
	if (answer !== "") return answer;
	return citations.map((citation) => `- ${formatCitation(citation)}`).join("\n");
}
