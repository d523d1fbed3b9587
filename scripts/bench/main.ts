import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../paths.ts";
import { runProgram } from "../runProgram.ts";
import { barsOf } from "./bars.ts";
import { dataFolder } from "./fileCorpus.ts";
import type {
	AgentsMeasurement,
	CliMeasurement,
	FilesMeasurement,
	Measurements,
	MemoryMeasurement,
	ModelMeasurement,
	NamesMeasurement,
	OfficeMeasurement,
	OwnMeasurement,
	PictureMeasurement,
	PluginsMeasurement,
	SearchMeasurement,
	SessionsMeasurement,
} from "./measurement.ts";
import { peers } from "./peers/all.ts";
import { plotMemory, plotSpeed } from "./plots.ts";
import { runMeasurement } from "./program.ts";
import { enginesSection, writeReport } from "./report.ts";

const DEFAULT_SIZES = "1000,10000,100000,1000000";

/** Number of documents replaced one by one if only the engines are measured. */
const FEW_EDITS = 100;

/**
 * `npm run bench [-- --sizes 1000,10000]`: measures, and writes `docs/bench.md` with its plots. Fails below a bar.
 * With `--only engines`, it measures our two engines only, and prints the results without writing the report.
 */
async function main(): Promise<void> {
	const { values } = parseArgs({
		options: { sizes: { type: "string", default: DEFAULT_SIZES }, only: { type: "string" } },
	});
	const sizes = values.sizes.split(",").map(Number);
	if (values.only === "engines") return sayEngines(sizes);
	if (values.only !== undefined) throw new TypeError(`"${values.only}" cannot be measured alone.`);
	await runProgram(process.execPath, ["esbuild.mjs"], { cwd: root });
	const measured = await measure(sizes);
	for (const { says, measured: figure, holds } of barsOf(measured)) {
		console.log(`${holds ? "✔" : "✖"} ${says}: ${figure}`);
		if (!holds) process.exitCode = 1;
	}
}

async function sayEngines(sizes: readonly number[]): Promise<void> {
	const ours: OwnMeasurement[] = [];
	const onDisk: OwnMeasurement[] = [];
	for (const size of sizes)
		for (const [engine, measured] of [
			["memory", ours],
			["lancedb", onDisk],
		] as const)
			measured.push(
				await runMeasurement<OwnMeasurement>("measureOurs.ts", [`${size}`, engine, `${FEW_EDITS}`]),
			);
	console.log(enginesSection({ ours, onDisk }).join("\n"));
}

async function writePages(measured: Measurements): Promise<void> {
	const docs = join(root, "docs");
	await mkdir(docs, { recursive: true });
	await writeFile(join(docs, "bench.md"), writeReport(measured));
	await writeFile(join(docs, "bench.svg"), plotSpeed(measured));
	for (const life of measured.memory)
		await writeFile(join(docs, `memory-${life.engine}.svg`), plotMemory(life));
}

/** Measures one engine at a time, since two would share the cores. Writes the report after every size. */
async function measure(sizes: readonly number[]): Promise<Measurements> {
	const ours: OwnMeasurement[] = [];
	const onDisk: OwnMeasurement[] = [];
	const others: SearchMeasurement[] = [];
	const measured = { ours, onDisk, peers: others, ...(await measureParts()) };
	for (const size of sizes) {
		console.log(`▸ ${size.toLocaleString("en")} passages`);
		ours.push(await runMeasurement<OwnMeasurement>("measureOurs.ts", [`${size}`, "memory"]));
		onDisk.push(await runMeasurement<OwnMeasurement>("measureOurs.ts", [`${size}`, "lancedb"]));
		for (const { name, most } of peers)
			if (size <= most)
				// No flags: ours could slow other engines down.
				others.push(await runMeasurement<SearchMeasurement>("measurePeer.ts", [name, `${size}`], []));
		await writePages(measured);
	}
	return measured;
}

/** Measures the parts that do not depend on a size. */
async function measureParts(): Promise<Omit<Measurements, "ours" | "onDisk" | "peers">> {
	console.log("▸ files through the worker");
	const files = await runMeasurement<FilesMeasurement>("measureFiles.ts", []);
	const memory: MemoryMeasurement[] = [];
	for (const engine of ["memory", "lancedb"])
		memory.push(await runMeasurement<MemoryMeasurement>("measureMemory.ts", [engine]));
	const office = existsSync(join(dataFolder(), "office"))
		? await runMeasurement<OfficeMeasurement>("measureOffice.ts", [])
		: undefined;
	console.log("▸ sessions, and the Copilot CLI");
	const sessions = await runMeasurement<SessionsMeasurement>("measureSessions.ts", []);
	const cli = await runMeasurement<CliMeasurement>("measureCli.ts", []);
	const agents = await runMeasurement<AgentsMeasurement>("measureAgents.ts", []);
	console.log("▸ names in the editor");
	const names = await runMeasurement<NamesMeasurement>("measureNames.ts", []);
	const picture = await runMeasurement<PictureMeasurement>("measurePicture.ts", []);
	const plugins = await runMeasurement<PluginsMeasurement>("measurePlugins.ts", []);
	console.log("▸ the built-in model");
	const model = await runMeasurement<ModelMeasurement>("measureModel.ts", []);
	return { files, memory, sessions, cli, agents, plugins, names, picture, model, ...(office && { office }) };
}

await main();
