import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync } from "node:fs";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { undefinedIfMissing } from "../../base/files/file.ts";
import { parseJson } from "../../base/values.ts";
import { storedEvent } from "../../core/session/journalEntry.ts";
import type { OrchestratorPorts } from "../../orchestrator/orchestrator.ts";
import { earlierRun } from "../../orchestrator/run/earlierRun.ts";

/** Maximum number of saved chains; the oldest are deleted. */
const MOST_RUNS = 100;
const ID = /^[\w-]{1,64}$/;
const ENDING = ".jsonl";
const KEPT: readonly string[] = ["chain", "stepStarted", "stepFinished"];

/** Stores each chain in a file, with a line for the start and for the end of each step. */
export function createCheckpoints(folder: string): NonNullable<OrchestratorPorts["checkpoints"]> {
	const fileOf = (id: string) => join(folder, id + ENDING);
	return {
		begin: async () => {
			mkdirSync(folder, { recursive: true, mode: 0o700 });
			const old = (await newestFirst(folder)).slice(MOST_RUNS - 1);
			await Promise.all(old.map((one) => rm(fileOf(one), { force: true })));
			const id = randomUUID();
			return {
				id,
				path: fileOf(id),
				keep: (events) => {
					const lines = events.filter(({ kind }) => KEPT.includes(kind)).map((one) => JSON.stringify(one));
					if (lines.length > 0) appendFileSync(fileOf(id), `${lines.join("\n")}\n`, { mode: 0o600 });
				},
			};
		},
		read: async (id) => {
			const wanted = id === "last" ? (await newestFirst(folder))[0] : id;
			if (wanted === undefined || !ID.test(wanted)) return undefined;
			const text = (await readFile(fileOf(wanted), "utf8").catch(undefinedIfMissing)) ?? "";
			const events = text.split("\n").flatMap((line) => storedEvent.safeParse(parseJson(line)).data ?? []);
			return earlierRun([{ at: Date.now(), events }]);
		},
	};
}

async function newestFirst(folder: string): Promise<string[]> {
	const names = (await readdir(folder).catch(undefinedIfMissing)) ?? [];
	const files = names.filter((name) => name.endsWith(ENDING));
	const dated = files.map(async (name) => ({
		id: name.slice(0, -ENDING.length),
		at: (await stat(join(folder, name))).mtimeMs,
	}));
	return (await Promise.all(dated)).sort((a, b) => b.at - a.at).map(({ id }) => id);
}
