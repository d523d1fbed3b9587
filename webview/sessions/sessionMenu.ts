import type { SessionSummary } from "../../src/core/session/session.ts";

/** Value of `data-vscode-context`, by which VS Code chooses menu items, and which commands receive. */
export function menuOf(
	{ id: session, title, engine, turns, archived: isArchived }: SessionSummary,
	place: "row" | "transcript",
): string {
	// The number of turns of a session known only to the CLI is unknown, so the maximum is assumed.
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
