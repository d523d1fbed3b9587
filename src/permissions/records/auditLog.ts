import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile, sizeOf, undefinedIfMissing } from "../../base/files/file.ts";
import type { Decision } from "../../core/permission/permission.ts";
import type { StoredPart } from "../../core/storedData.ts";
import { createSealedLines, type SealedLines } from "./sealedLines.ts";
import { decision as decisionShape } from "./shapes.ts";

const CURRENT = "audit.jsonl";
/** `audit-<time of rotation in milliseconds since 1970>-<random>.jsonl` */
const FULL = /^audit-(\d+)-[\w-]+\.jsonl$/;
const FULL_BYTES = 2_000_000;
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

export type AuditLog = ReturnType<typeof createAuditLog>;

export interface DamagedLine {
	readonly damaged: string;
	readonly path: string;
}

export function createAuditLog(folder: string, fullBytes = FULL_BYTES) {
	const files = new Map<string, SealedLines<Decision>>();
	const parse = (value: unknown): Decision | undefined => decisionShape.safeParse(value).data;
	const fileOf = (name: string): SealedLines<Decision> => {
		const file = files.get(name) ?? createSealedLines(join(folder, name), parse);
		files.set(name, file);
		return file;
	};
	const newestFirst = async () => [CURRENT, ...(await fullFiles(folder))].map(fileOf);
	return {
		/** Resolves when the decision is on disk. */
		append: async (decision: Decision) => {
			await fileOf(CURRENT).append([decision]);
			await rotate(folder, fullBytes, decision.at);
		},
		size: async (): Promise<StoredPart> => {
			let [items, bytes] = [0, 0];
			for (const { path, read } of await newestFirst()) {
				items += (await read()).length;
				bytes += await sizeOf(path);
			}
			return { items, bytes };
		},
		/** Deletes the oldest files first, so that an interrupted deletion leaves no gaps. */
		clear: async () => {
			for (const { path } of (await newestFirst()).toReversed()) await rm(path, { force: true });
		},
		newestFirst: async function* (): AsyncGenerator<Decision | DamagedLine> {
			for (const { path, read } of await newestFirst()) {
				const lines = (await read()).toReversed();
				yield* lines.map(({ value, text }) => value ?? { damaged: text, path });
			}
		},
	};
}

/** Starts a new file if the current file is full, and deletes old files. Two processes may do this at once. */
async function rotate(folder: string, fullBytes: number, now: number): Promise<void> {
	const current = join(folder, CURRENT);
	if ((await sizeOf(current)) < fullBytes) return;
	const full = join(folder, `audit-${now}-${randomUUID()}.jsonl`);
	await replaceFile(current, full).catch(undefinedIfMissing);
	for (const name of await fullFiles(folder))
		if (now - timeOf(name) > KEPT_MS) await rm(join(folder, name), { force: true });
}

async function fullFiles(folder: string): Promise<string[]> {
	const names = (await readdir(folder).catch(undefinedIfMissing)) ?? [];
	return names.filter((name) => FULL.test(name)).sort((a, b) => timeOf(b) - timeOf(a));
}

function timeOf(name: string): number {
	return Number(FULL.exec(name)?.[1]);
}
