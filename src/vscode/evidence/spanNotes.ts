import { l10n } from "vscode";
import { ifThere } from "../../base/failure.ts";
import { memoize } from "../../base/jobs/lazily.ts";
import { type Citation, formatCitation, LAST_LINE } from "../../core/knowledge/citation.ts";
import type { KnowledgeReader, ReadQuery } from "../../core/knowledge/knowledge.ts";
import type { AtDoor, Door } from "../../core/permission/permission.ts";
import type { CitedSpan } from "../../core/session/journalEntry.ts";
import type { TranscriptTurn } from "../../core/session/session.ts";
import { findAgain } from "../../evidence/fingerprint.ts";

/** The newest citations of a long session are looked after. */
const SPANS = 100;
const FILE_CHARACTERS = 2_000_000;

/** Turns with a notice for each citation whose lines are not what they were. Turns that kept no hashes stay as they are. */
export async function withNotes(
	knowledge: KnowledgeReader,
	turns: readonly TranscriptTurn[],
	signal: AbortSignal,
): Promise<TranscriptTurn[]> {
	const filesAt = memoize((door: Door) =>
		memoize((target: string) => textOf(knowledge, { target, maxCharacters: FILE_CHARACTERS, door }, signal)),
	);
	let left = SPANS;
	const noted: TranscriptTurn[] = [];
	for (const turn of turns.toReversed()) {
		const spans = (turn.spans ?? []).slice(0, left);
		left -= spans.length;
		const read = filesAt(turn.command === "cli" ? "cli" : "chat");
		const notes = await Promise.all(spans.map((span) => noteOn(span, read)));
		const notices = notes.filter((text) => text !== "").map((text) => ({ kind: "notice", text }) as const);
		noted.unshift(notices.length > 0 ? { ...turn, events: [...turn.events, ...notices] } : turn);
	}
	return noted;
}

async function noteOn(
	span: CitedSpan,
	read: (target: string) => Promise<string | undefined>,
): Promise<string> {
	const name = nameOf(span);
	const whole = { ...span.lines, start: 1, end: LAST_LINE };
	const text = await read(formatCitation({ path: span.path, lines: whole }));
	if (text === undefined) return l10n.t("{0} can no longer be read.", name);
	const state = findAgain(span, text);
	if (state.kind === "same") return "";
	if (!state.lines)
		return l10n.t("{0} has changed since this answer: what was cited is no longer in the file.", name);
	const place = nameOf({ path: span.path, lines: state.lines });
	if (state.kind === "moved") return l10n.t("{0} is now at {1}.", name, place);
	return place === name
		? l10n.t("{0} has changed since this answer.", name)
		: l10n.t("{0} has changed since this answer; {1} is now most similar to it.", name, place);
}

function nameOf(citation: Citation): string {
	return formatCitation(citation).slice(1, -1);
}

/** The text of a file as it is now; `undefined` if it cannot be read. */
async function textOf({ read }: KnowledgeReader, query: AtDoor<ReadQuery>, signal: AbortSignal) {
	const found = await ifThere(() => read(query, signal));
	const [first] = found?.parts ?? [];
	// A sheet may begin further down than in its first row.
	return first && "\n".repeat(first.lines.start - 1) + first.text;
}
