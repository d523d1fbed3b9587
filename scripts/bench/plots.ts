import type { Measurements, MemoryMeasurement, SearchMeasurement } from "./measurement.ts";
import { plot, type Series } from "./plot.ts";

/** `docs/bench.svg`: time of a search by number of passages. */
export function plotSpeed(measured: Measurements): string {
	const axes = { x: "passages", y: "milliseconds for one search (p50)", scale: "logarithmic" } as const;
	return plot(speedOf(measured), axes);
}

/** `docs/memory-….svg`: memory of a worker and its parsers over time. */
export function plotMemory({ samples, phases }: MemoryMeasurement): string {
	const marks = phases.map(({ name, seconds }) => ({ x: seconds, name }));
	const lineOf = (name: string, held: "workerMb" | "parsersMb"): Series => ({
		name,
		points: samples.map((sample) => ({ x: sample.seconds, y: sample[held] })),
		isOurs: held === "workerMb",
	});
	const lines = [lineOf("worker", "workerMb"), lineOf("all parsers", "parsersMb")];
	return plot(lines, { x: "seconds", y: "MB", scale: "linear", marks });
}

function speedOf({ ours, onDisk, peers }: Measurements): Series[] {
	const engines = [...new Set(peers.map(({ engine }) => engine))];
	const pointsOf = (measured: readonly SearchMeasurement[]) =>
		measured.map(({ size, p50 }) => ({ x: size, y: p50 }));
	return [
		{ name: "Copilot-LD, all legs", points: pointsOf(ours), isOurs: true },
		{ name: "Copilot-LD, by LanceDB's indexes", points: pointsOf(onDisk), isOurs: true },
		...engines.map((name) => ({
			name,
			points: pointsOf(peers.filter(({ engine }) => engine === name)),
			isOurs: false,
		})),
	];
}
