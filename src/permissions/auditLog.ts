import { randomUUID } from "node:crypto";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Decision } from "../core/permission/permission.ts";
import { createJsonLines, type JsonLines, undefinedWhereMissing } from "./jsonLines.ts";
import { isDecision } from "./shapes.ts";

const CURRENT = "audit.jsonl";
/** `audit-<when it was full, in milliseconds since 1970>-<random>.jsonl` */
const FULL = /^audit-(\d+)-[\w-]+\.jsonl$/;
const FULL_BYTES = 2_000_000;
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/** Every decision of the last 90 days at least. */
export interface AuditLog {
	/** Resolves when it is on the disk. */
	append(decision: Decision): Promise<void>;
	/** Newest first; reads no further back than it is asked to. */
	newestFirst(): AsyncIterable<Decision>;
}

export function createAuditLog(folder: string, fullBytes = FULL_BYTES): AuditLog {
	const files = new Map<string, JsonLines>();
	const fileOf = (name: string): JsonLines => {
		const file = files.get(name) ?? createJsonLines(join(folder, name));
		files.set(name, file);
		return file;
	};
	return {
		append: async (decision) => {
			await fileOf(CURRENT).append(decision);
			await rotate(folder, fullBytes, decision.at);
		},
		newestFirst: async function* () {
			for (const name of [CURRENT, ...(await fullFiles(folder))])
				yield* (await fileOf(name).read()).filter(isDecision).toReversed();
		},
	};
}

/** Begins a new file where the old one is full, and deletes what is too old. Two processes may do so at once. */
async function rotate(folder: string, fullBytes: number, now: number): Promise<void> {
	const current = join(folder, CURRENT);
	const found = await stat(current).catch(undefinedWhereMissing);
	if (!found || found.size < fullBytes) return;
	const full = join(folder, `audit-${now}-${randomUUID()}.jsonl`);
	await rename(current, full).catch(undefinedWhereMissing);
	for (const name of await fullFiles(folder))
		if (now - timeOf(name) > KEPT_MS) await rm(join(folder, name), { force: true });
}

/** Newest first. */
async function fullFiles(folder: string): Promise<string[]> {
	const names = (await readdir(folder).catch(undefinedWhereMissing)) ?? [];
	return names.filter((name) => FULL.test(name)).sort((a, b) => timeOf(b) - timeOf(a));
}

function timeOf(name: string): number {
	return Number(FULL.exec(name)?.[1]);
}
