import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { RecordCall } from "../../agent/call/toolCall.ts";
import { createSessionJournal, type TurnJournal } from "../../agent/journal/sessionJournal.ts";
import { messageOf } from "../../base/failure.ts";
import { createMutex } from "../../base/jobs/mutex.ts";
import { boundedText } from "../../base/text/visibleText.ts";
import type { Tool } from "../../core/agent/tool.ts";
import { type Party, partyCalled } from "../../core/session/journalEntry.ts";
import type { SessionJournals } from "../../core/session/session.ts";
import { type McpRun, tell } from "../arguments/mcpRun.ts";

export type ClientName = () => string | undefined;

const MAX_TEXT = 100_000;

/** Records a client's calls as the turns of one session. Records nothing if no folder is configured. */
export function openClientJournal(
	{ options, workspace }: McpRun,
	sessions: SessionJournals,
	clientName: ClientName,
) {
	if (options.sessionsFolder === undefined) return NOTHING_KEPT;
	const session = randomUUID();
	const begun = createMutex();
	const atWork = new AsyncLocalStorage<TurnJournal>();
	let isFirst = true;
	const journal = createSessionJournal({
		sessions,
		engine: "mcp",
		workspace: () => workspace,
		parties: ({ command }) => partiesOf(clientName(), command),
	});
	// A failure to record must not fail the call.
	const unrecorded = (thrown: unknown) => tell(messageOf(thrown));
	const begin = ({ name }: Tool, input: unknown) =>
		begun.run(async () => {
			const asked = { text: wordsOf(input), command: name, attachments: [], isFirst };
			const turn = await journal.begin(session, asked).catch(unrecorded);
			if (turn) isFirst = false;
			return turn ?? undefined;
		});
	const record: RecordCall = async ({ tool, input, context }, run) => {
		const turn = await begin(tool, input);
		if (!turn) return run();
		try {
			const result = await atWork.run(turn, run);
			await turn.end({ text: boundedText(result.text, MAX_TEXT), outcome: "done" }).catch(unrecorded);
			return result;
		} catch (thrown) {
			const outcome = context.signal.aborted ? "cancelled" : "failed";
			await turn.end({ text: "", outcome, error: messageOf(thrown) }).catch(unrecorded);
			throw thrown;
		}
	};
	return {
		record,
		/** Returns the function that records events in the turn of the current call. */
		noteNow: () => atWork.getStore()?.note,
	};
}

const NOTHING_KEPT = { record: undefined, noteNow: () => undefined };

function partiesOf(name = "client", command = ""): [asker: Party, answerer: Party] {
	const shown = name.slice(0, 300);
	const client = { role: "cerebrum", id: shown || "client", name: shown } as const;
	return [client, partyCalled({ id: "", name: command, input: {} })];
}

function wordsOf(input: unknown): string {
	const [only, ...others] = Object.values(Object(input));
	return typeof only === "string" && others.length === 0 ? only : JSON.stringify(input ?? {});
}
