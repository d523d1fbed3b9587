import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../base/failure.ts";
import { createIntent, onDisk } from "../base/files/file.ts";
import { folderSize } from "../base/files/folderSize.ts";
import type { Reader } from "../core/session/memory.ts";
import type { SessionData } from "../core/storedData.ts";
import type { Facts } from "./facts/facts.ts";
import { allFiles, removeFiles } from "./journal/owner.ts";
import type { MessageIndex } from "./messages/messageIndex.ts";

interface StoredSessionsParts {
	/** Absolute path of the folder of sessions. */
	readonly folder: string;
	readonly reader: Reader;
	readonly facts: Facts;
	readonly index: MessageIndex;
	/** Looks at journals again and announces what became of them. */
	readonly follow: (ids: readonly string[]) => Promise<void>;
}

/** The sessions and the memory of one person as stored data, with their size. */
export function createStoredSessions(parts: StoredSessionsParts) {
	const { folder, reader, facts, index, follow } = parts;
	const derived = derivedFolder(folder, reader);
	const clearing = createIntent(`${derived}.clearing`);
	/** What was said since stays. What is made of the journals holds their words too, and goes after them. */
	const erase = async () => {
		const begunAt = await clearing.begunAt();
		if (begunAt === undefined) return;
		await follow(await removeFiles(folder, reader, begunAt));
		if (!(await index.discard())) throw new Failure("BUSY", ANOTHER_WINDOW);
		await removeEarlier(folder, reader, derived);
		await clearing.end();
	};
	return {
		sizes: async () => {
			const files = await allFiles(folder, reader);
			const bytes = files.reduce((sum, { size }) => sum + size, await folderSize(derived));
			return { sessions: { items: files.length, bytes }, memory: await facts.size() };
		},
		clear: (part: Parameters<SessionData["clear"]>[0]) =>
			onDisk(part === "memory" ? "Clearing the memory" : "Clearing the sessions", async () => {
				if (part === "memory") return facts.clear();
				await clearing.begin();
				await erase();
			}),
		/** Ends what a process that died had begun to clear. */
		resume: erase,
		removeOutdated: () => removeOutdated(folder, derived),
	} satisfies Partial<SessionData> & Record<string, unknown>;
}

/** Before sessions carried their person, files mixed the data of all; later, messages were in a table. */
async function removeOutdated(folder: string, derived: string): Promise<void> {
	await rm(join(folder, "summaries.jsonl"), { force: true });
	for (const table of [join(folder, "index"), join(derived, "index", "messages.lance")])
		await rm(table, { recursive: true, force: true, maxRetries: 5 });
}

/** Removes data derived from the journals while the person was known by only one of the names. */
async function removeEarlier(folder: string, reader: Reader, derived: string): Promise<void> {
	for (const earlier of reader.map((person) => derivedFolder(folder, [person])))
		if (earlier !== derived) await rm(earlier, { recursive: true, force: true, maxRetries: 5 });
}

const ANOTHER_WINDOW =
	"The sessions were deleted, but another window is using the index over them. Clear the sessions again.";

/** What is made of the journals is made for one reader, so that it holds no word of anybody else. */
export function derivedFolder(folder: string, reader: Reader): string {
	const names = reader.map(({ source, id }) => JSON.stringify([source, id])).sort();
	return join(folder, "derived", createHash("sha256").update(names.join()).digest("hex").slice(0, 16));
}
