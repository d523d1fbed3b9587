import type { SessionSummary } from "../../src/core/session/session.ts";

/** The attribute by which VS Code chooses the items of its menu for a session, and which their commands are given. */
export function menuOf(
	{ id: session, title, engine, turns, archived: isArchived }: SessionSummary,
	place: "row" | "transcript",
): string {
	// A session that only the CLI has has no turn count, so more turns than any has are given; it cannot be archived.
	const isOnlyOfCli = engine === "cli" && turns === 0;
	return JSON.stringify({
		session,
		title,
		turns: isOnlyOfCli ? Number.MAX_SAFE_INTEGER : Math.max(1, turns),
		isArchived,
		canArchive: !isOnlyOfCli,
		// Text can be copied out of a transcript.
		preventDefaultContextMenuItems: place === "row",
	});
}
