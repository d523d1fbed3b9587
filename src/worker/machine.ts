import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { Failure } from "../base/failure.ts";

/** With this argument, the worker's program only tries LanceDB and exits. */
export const TRIAL = "--try-lancedb";

/** Exit code on Windows that corresponds to SIGILL. */
const ILLEGAL_INSTRUCTION = 0xc000_001d;

export type Machine = typeof THIS_MACHINE;

const THIS_MACHINE = {
	platform: process.platform,
	arch: process.arch as string,
	processor: () => readFile("/proc/cpuinfo", "utf8").catch(() => ""),
	/** Tries LanceDB in a process of its own, which may crash. */
	trial: async (): Promise<readonly [code: number | null, signal: NodeJS.Signals | null]> => {
		const child = fork(process.argv[1] ?? "", ["--node-ipc", TRIAL], { silent: true });
		const [code, signal] = await once(child, "exit");
		return [code, signal];
	},
};

/** Throws if LanceDB's binary cannot run: on Intel Macs, and on x64 without AVX2. Records a successful trial. */
export async function requireMachine(dataFolder: string, machine: Machine = THIS_MACHINE): Promise<void> {
	const { platform, arch, processor, trial } = machine;
	if (arch !== "x64") return;
	if (platform === "darwin") throw new Failure("UNSUPPORTED", NO_BINARY);
	if (/\bavx2\b/.test(await processor())) return;
	const note = join(dataFolder, "lancedb.runs");
	const here = `${process.version} ${cpus()[0]?.model}`;
	if ((await readFile(note, "utf8").catch(() => undefined)) === here) return;
	const [code, signal] = await trial();
	const isOld = signal === "SIGILL" || code === ILLEGAL_INSTRUCTION;
	if (code !== 0) throw new Failure("UNSUPPORTED", isOld ? NO_AVX2 : NO_BINARY);
	await writeFile(note, here).catch(() => undefined);
}

const NO_AVX2 =
	"Copilot-LD cannot keep an index on this computer: its processor does not have AVX2, which the database of the index needs.";
const NO_BINARY =
	"Copilot-LD cannot keep an index on this computer: the database of the index has no version for this system and processor.";

export async function tryLancedb(): Promise<void> {
	const { connectTo } = await import("../store/tables/query.ts");
	const folder = await mkdtemp(join(tmpdir(), "copilot-ld-trial-"));
	try {
		const connection = await connectTo({ folder });
		const table = await connection.createTable("trial", [{ vector: [1, 0] }, { vector: [0, 1] }]);
		await table.query().nearestTo([1, 0]).toArrow();
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
