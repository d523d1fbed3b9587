import { userInfo } from "node:os";
import { join } from "node:path";
import { Failure } from "../base/failure.ts";
import type { Person } from "../core/session/memory.ts";
import { shareStaticEmbedder } from "../embed/builtIn/staticEmbedder.ts";
import type { WorkerOptions } from "../protocol/worker.ts";
import { openSessions, type SessionPorts, type SessionStore } from "../sessions/openSessions.ts";

/** Opens the sessions. They are embedded on this machine: conversations are not sent anywhere for that. */
export async function openSessionMemory(
	{ dataFolder, sessionsFolder = join(dataFolder, "sessions"), modelFolder, person }: WorkerOptions,
	{ onChange, onError, visibility }: SessionPorts,
): Promise<SessionStore> {
	// Without its model there is still the search by words.
	const embedder = await shareStaticEmbedder(modelFolder).catch((thrown: unknown) => {
		if (!(thrown instanceof Failure)) throw thrown;
		onError(thrown);
		return undefined;
	});
	return openSessions({
		folder: sessionsFolder,
		// What they said as the system's user stays theirs.
		reader: person ? [person, systemUser()] : [systemUser()],
		embedder,
		visibility,
		onChange,
		onError,
	});
}

function systemUser(): Person {
	let name = `user ${process.getuid?.() ?? "without a name"}`;
	try {
		name = userInfo().username;
	} catch {
		// In a container, a user may have a number and no name.
	}
	return { source: "system", id: name, label: name };
}
