import { l10n } from "vscode";
import { ifThere } from "../../base/failure.ts";
import { type Citation, formatCitation, LAST_LINE, type Place } from "../../core/knowledge/citation.ts";
import type { KnowledgeReader } from "../../core/knowledge/knowledge.ts";
import type { Door } from "../../core/permission/permission.ts";
import type { CitedSpan } from "../../core/session/journalEntry.ts";
import type { TranscriptTurn } from "../../core/session/session.ts";
import { findAgain } from "../../evidence/fingerprint.ts";

/** The newest citations of a long session are looked after. */
const SPANS = 100;
const FILE_CHARACTERS = 2_000_000;
/** Files of a like name that are looked through for one that is gone. */
const OTHERS = 3;

type Files = (path: string, door: Door, part: Place) => Promise<FileNow>;

/** A file as it is now; without a text, with the names of others that it may have become. */
interface FileNow {
	readonly text?: string;
	readonly others: readonly string[];
}

/** Turns with a notice for each citation whose lines are not what they were. Turns that kept no hashes stay as they are. */
export async function withNotes(
	knowledge: KnowledgeReader,
	turns: readonly TranscriptTurn[],
	signal: AbortSignal,
): Promise<TranscriptTurn[]> {
	const files = createFiles(knowledge, signal);
	let left = SPANS;
	const noted: TranscriptTurn[] = [];
	for (const turn of turns.toReversed()) {
		const spans = (turn.spans ?? []).slice(0, left);
		left -= spans.length;
		const door = turn.command === "cli" ? "cli" : "chat";
		const notes = await Promise.all(spans.map((span) => noteOn(span, door, files)));
		const notices = notes.filter((text) => text !== "").map((text) => ({ kind: "notice", text }) as const);
		noted.unshift(notices.length > 0 ? { ...turn, events: [...turn.events, ...notices] } : turn);
	}
	return noted;
}

async function noteOn(span: CitedSpan, door: Door, files: Files): Promise<string> {
	const name = nameOf(span);
	const part = { ...span.lines, start: 1, end: LAST_LINE };
	const { text, others } = await files(span.path, door, part);
	if (text === undefined) {
		const found = await findElsewhere(span, others, (path) => files(path, door, part));
		return found
			? l10n.t("{0} is now at {1}.", name, nameOf(found))
			: l10n.t("{0} can no longer be read.", name);
	}
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

/** The new location of a moved file: one with the same name that contains the lines word for word. */
async function findElsewhere(
	span: CitedSpan,
	others: readonly string[],
	read: (path: string) => Promise<FileNow>,
): Promise<Citation | undefined> {
	const base = baseOf(span.path);
	for (const path of others.filter((other) => baseOf(other) === base).slice(0, OTHERS)) {
		const { text } = await read(path);
		const state = text === undefined ? undefined : findAgain(span, text);
		if (state?.kind === "same") return { path, lines: span.lines };
		if (state?.kind === "moved") return { path, lines: state.lines };
	}
	return undefined;
}

function baseOf(path: string): string {
	return path.slice(path.lastIndexOf("/") + 1);
}

function nameOf(citation: Citation): string {
	return formatCitation(citation).slice(1, -1);
}

/** Each file is read once. */
function createFiles({ read }: KnowledgeReader, signal: AbortSignal): Files {
	const known = new Map<string, Promise<FileNow>>();
	const readFile = async (path: string, door: Door, part: Place): Promise<FileNow> => {
		const target = formatCitation({ path, lines: part });
		const found = await ifThere(() => read({ target, maxCharacters: FILE_CHARACTERS, door }, signal));
		const [first] = found?.parts ?? [];
		// A sheet may begin further down than in its first row.
		const text = first && "\n".repeat(first.lines.start - 1) + first.text;
		return { ...(text !== undefined && { text }), others: found?.suggestions ?? [] };
	};
	return (path, door, part) => {
		const key = `${door} ${formatCitation({ path, lines: part })}`;
		const file = known.get(key) ?? readFile(path, door, part);
		known.set(key, file);
		return file;
	};
}
