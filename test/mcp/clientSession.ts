import { userInfo } from "node:os";
import type { TestContext } from "node:test";
import { never, openIn } from "../sessions/temporarySessions.ts";
import { assertMapped } from "../support/assertMapped.ts";

export async function readClientSession(
	t: TestContext,
	{ sessionsFolder, workspace }: { readonly sessionsFolder: string; readonly workspace: string },
) {
	const reader = [{ source: "system", id: userInfo().username, label: "" }] as const;
	const { sessions } = openIn(t, sessionsFolder, { reader });
	const { sessions: listed } = await sessions.list({ limit: 9 }, never);
	assertMapped(listed, (session) => [session.engine, session.workspace], [["mcp", workspace]]);
	return sessions.read(listed[0]?.id ?? "", never);
}
