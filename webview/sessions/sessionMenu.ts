import type { SessionSummary } from "../../src/core/session/session.ts";

/** The attribute that selects the menu items of a session in VS Code, and that is passed to their commands. */
export function menuOf(
	{ id: session, title, engine, turns, archived: isArchived }: SessionSummary,
	place: "row" | "transcript",
): string {
	// A session known only to the CLI has no turn count, so it gets the maximum. It cannot be archived.
	const isOnlyOfCli = engine === "cli" && turns === 0;
	return JSON.stringify({
		session,
		title,
		turns: isOnlyOfCli ? Number.MAX_SAFE_INTEGER : Math.max(1, turns),
		isArchived,
		canArchive: !isOnlyOfCli,
		// Lets the user copy text from a transcript.
		preventDefaultContextMenuItems: place === "row",
	});
}
