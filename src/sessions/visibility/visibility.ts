import { CHANNELS, type Channel, type RulesByChannel } from "../../core/permission/permission.ts";
import type { JournalEntry } from "../../core/session/journalEntry.ts";
import type { Fact } from "../../core/session/memory.ts";
import type { Journals } from "../journal/journals.ts";
import { firstTurns, isMessage } from "../journal/transcript.ts";
import type { TurnRef } from "../messages/messages.ts";

export interface Visibility {
	rules(): Promise<RulesByChannel | undefined>;
	sees(channel: Channel, uris: readonly string[]): Promise<boolean>;
}

export type RecallSight = Awaited<ReturnType<typeof recallSight>>;

const ALL = { turn: async (_: TurnRef) => true, fact: (_: Fact) => true };
/** Channels from which a turn of our engine gets documents. */
const CHANNELS_OF_A_TURN: readonly Channel[] = ["chat", "tools"];
const OUR_TOOLS = "copilot-ld_";

/**
 * Decides whether a channel may recall a turn. It may do so only if it may see everything that the session had read
 * until then. If this is unknown, the turn is not recalled.
 */
export async function recallSight(channel: Channel, visibility: Visibility, entriesOf: Journals["entries"]) {
	const hidden = (await visibility.rules())?.[channel];
	if (hidden?.length === 0) return ALL;
	return {
		fact: ({ source, rules }: Fact) => source.by === "person" || wereHidden(CHANNELS, hidden, rules),
		turn: async ({ session, turn }: TurnRef) => {
			const entries = await entriesOf(session);
			if (entries.some((entry) => entry.kind === "session" && entry.engine !== "model")) return false;
			const turns = Map.groupBy(firstTurns(entries, turn + 1), (one) => ("turn" in one ? one.turn : -1));
			for (const told of turns.values()) if (!(await isVisible(told))) return false;
			return true;
		},
	};

	async function isVisible(turn: readonly JournalEntry[]): Promise<boolean> {
		if (turn.some(isForeign)) return false;
		const messages = turn.filter(isMessage);
		if (messages.every(({ rules }) => wereHidden(CHANNELS_OF_A_TURN, hidden, rules))) return true;
		const uris = sourcesOf(turn);
		return uris !== undefined && visibility.sees(channel, uris);
	}
}

export function isForAllChannels({ source, rules }: Fact, now: RulesByChannel | undefined): boolean {
	return source.by === "person" || CHANNELS.every((channel) => wereHidden(CHANNELS, now?.[channel], rules));
}

/** Whether everything that is hidden now was already hidden from these channels when `rules` applied. */
function wereHidden(
	channels: readonly Channel[],
	hidden?: readonly string[],
	rules?: RulesByChannel,
): boolean {
	return hidden?.every((rule) => channels.every((channel) => rules?.[channel].includes(rule))) ?? false;
}

/** Whether an entry may contain files regardless of policies; a step may have run on the Copilot CLI. */
function isForeign(entry: JournalEntry): boolean {
	if (entry.kind === "question") return entry.attachments.length > 0;
	if (entry.kind !== "event") return false;
	const { event } = entry;
	if (event.kind === "diff" || event.kind === "stepStarted") return true;
	return "call" in event && !event.call.name.startsWith(OUR_TOOLS);
}

/** Returns the documents that a turn used; `undefined` if there may be others. */
function sourcesOf(turn: readonly JournalEntry[]): string[] | undefined {
	const events = turn.flatMap((entry) => (entry.kind === "event" ? [entry.event] : []));
	const retrieved = events.filter((event) => event.kind === "retrieved");
	const isKnown = retrieved.length > 0 && retrieved.every(({ isAll }) => isAll === true);
	if (!isKnown || events.some((event) => "call" in event)) return undefined;
	return retrieved.flatMap(({ hits }) => hits.map(({ uri }) => uri));
}
