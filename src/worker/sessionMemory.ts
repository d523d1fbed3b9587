import { join } from "node:path";
import { Failure } from "../base/failure.ts";
import { openStaticEmbedder } from "../embed/builtIn/staticEmbedder.ts";
import type { WorkerOptions } from "../protocol/worker.ts";
import { openSessions, type SessionStore, type SessionsOptions } from "../sessions/openSessions.ts";
import { createLock } from "./indexing/lock.ts";

/**
 * The sessions of a worker's options. They are embedded on this machine, whatever embeds the documents: conversations
 * are not sent anywhere for that.
 */
export async function openSessionMemory(
	{ dataFolder, sessionsFolder = join(dataFolder, "sessions"), modelFolder }: WorkerOptions,
	{ onChange, onError, visibility }: Pick<SessionsOptions, "onChange" | "onError" | "visibility">,
): Promise<SessionStore> {
	// Without its model there is still the search by words.
	const embedder = await openStaticEmbedder(modelFolder).catch((thrown: unknown) => {
		if (!(thrown instanceof Failure)) throw thrown;
		onError(thrown);
		return undefined;
	});
	const lock = createLock(sessionsFolder);
	return openSessions({ folder: sessionsFolder, embedder, lock, visibility, onChange, onError });
}
