import type { Engine } from "../../src/core/session/journalEntry.ts";
import type { SessionSummary } from "../../src/core/session/session.ts";
import { l10n } from "../parts/l10n.ts";
import { amounts, baseName, compactNumber, timeAgo } from "../parts/text.ts";

export const ENGINES: Record<Engine, { readonly label: string; readonly icon: string }> = {
	// Whatever model it had, or none.
	model: { label: "Copilot-LD", icon: "comment-discussion" },
	cli: { label: "Copilot CLI", icon: "terminal" },
	mcp: { label: "MCP", icon: "plug" },
};

/** What there is to know of a session, in a line. */
export function sessionFacts(
	{ engine, turns, tokens, workspace }: SessionSummary,
	namesWorkspace: boolean,
): string {
	const facts = [ENGINES[engine].label];
	// Of what only the CLI has, they are not known before it is opened.
	if (turns > 0) facts.push(amounts.turns(turns));
	if (tokens > 0) facts.push(l10n.t("{0} tokens", compactNumber(tokens)));
	if (workspace && namesWorkspace) facts.push(baseName(workspace));
	return facts.join(" · ");
}

/** A row in words, for screen readers. */
export function sessionName(session: SessionSummary, now: number): string {
	return `${session.title}, ${timeAgo(session.updatedAt, now)}, ${sessionFacts(session, true)}`;
}
