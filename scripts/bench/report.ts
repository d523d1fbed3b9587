import { arch, cpus, platform, totalmem } from "node:os";
import type { FilesMeasurement, OwnMeasurement, SearchMeasurement } from "./measurement.ts";
import type { Series } from "./plot.ts";
import type { Latency } from "./timing.ts";

export interface Measurements {
	readonly ours: readonly OwnMeasurement[];
	readonly peers: readonly SearchMeasurement[];
	readonly files: FilesMeasurement;
}

/** What must hold on two cores. Each is a sentence, the figure, and whether it holds. */
interface Bar {
	readonly says: string;
	readonly measured: string;
	readonly holds: boolean;
}

/** `docs/bench.md`. */
export function writeReport(measured: Measurements): string {
	return [
		"# Speed",
		"",
		`Written by \`npm run bench\` on ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB, ${platform()} ${arch()}, Node ${process.versions.node}. Compare figures within one run only.`,
		"",
		"Passages are made of words that the built-in model knows, 60 to 140 in each, ten to a document; one document of ten is linked data. Questions have two to eight words. Every engine runs in a process of its own with the same texts and vectors (256 dimensions), says how many it holds, and is asked the same 200 questions, one after the other, for the best ten. Ours answers with all of its legs, reasons and texts; the others with one leg each, except where two are named.",
		"",
		"![Milliseconds for one search against the number of passages](bench.svg)",
		"",
		"## What must hold",
		"",
		...table(
			["", "bar", "measured"],
			barsOf(measured).map(({ says, measured: figure, holds }) => [holds ? "✔" : "✖", says, figure]),
		),
		"",
		"## One search, against others",
		"",
		...searchTable(measured),
		"",
		"## Ours, at every size",
		"",
		...ownTable(measured.ours),
		"",
		`## A folder of files: ${measured.files.name}`,
		"",
		...filesTable(measured.files),
		"",
	].join("\n");
}

export function barsOf({ ours, files }: Measurements): Bar[] {
	const at = (size: number) => ours.find((own) => own.size === size);
	const [small, large, huge] = [at(10_000), at(100_000), at(1_000_000)];
	const edited = large ?? small;
	const rate = files.passages / files.indexSeconds;
	return [
		...(small ? [bar("p50 at 10,000 passages ≤ 5 ms", small.p50, 5, "ms")] : []),
		...(large
			? [
					bar("p50 at 100,000 passages ≤ 8 ms", large.p50, 8, "ms"),
					bar("p95 at 100,000 passages ≤ 20 ms", large.p95, 20, "ms"),
					bar("opened again with 100,000 passages, first answer ≤ 500 ms", large.reopenMs, 500, "ms"),
					bar("memory with 100,000 passages ≤ 600 MB", large.residentMb, 600, "MB"),
				]
			: []),
		...(huge ? [bar("p50 at 1,000,000 passages ≤ 15 ms", huge.p50, 15, "ms")] : []),
		...(edited?.edits
			? [
					bar(
						`p95 after ${edited.edits.documents} edits ≤ 1.2 × before`,
						edited.edits.after.p95 / edited.edits.before.p95,
						1.2,
						"×",
					),
					bar("disk after them ≤ 1.5 × before", edited.edits.diskShare, 1.5, "×"),
				]
			: []),
		bar("p95 while files are indexed ≤ 20 ms", files.whileIndexing.p95, 20, "ms"),
		bar("over the pipe ≤ 2 ms more than without it", files.search.p50 - files.withoutPipe.p50, 2, "ms"),
		{
			says: "≥ 10,000 passages of files indexed per second",
			measured: `${Math.round(rate).toLocaleString("en")} /s`,
			holds: rate >= 10_000,
		},
		bar("an edited file is found ≤ 300 ms after it was saved", files.editMs.p50, 300, "ms"),
	];
}

export function seriesOf({ ours, peers }: Measurements): Series[] {
	const engines = [...new Set(peers.map(({ engine }) => engine))];
	const pointsOf = (measured: readonly SearchMeasurement[]) =>
		measured.map(({ size, p50 }) => ({ x: size, y: p50 }));
	return [
		{ name: "Copilot-LD, all legs", points: pointsOf(ours), isOurs: true },
		...engines.map((name) => ({
			name,
			points: pointsOf(peers.filter(({ engine }) => engine === name)),
			isOurs: false,
		})),
	];
}

function bar(says: string, value: number, most: number, unit: string): Bar {
	return { says, measured: `${figure(value)} ${unit}`, holds: value <= most };
}

function searchTable({ ours, peers }: Measurements): string[] {
	const sizes = ours.map(({ size }) => size);
	const engines = [...new Set(peers.map(({ engine }) => engine))];
	const rowOf = (name: string, by: string, measured: readonly SearchMeasurement[]) => [
		name,
		by,
		...sizes.map((size) => {
			const found = measured.find((one) => one.size === size);
			const own = ours.find((one) => one.size === size);
			if (!found || !own) return "–";
			const ratio = found === own ? "" : ` (${figure(own.p50 / found.p50)} ×)`;
			return `${latency(found)}${ratio}`;
		}),
	];
	return [
		"Milliseconds, p50 / p95; in brackets our p50 as a multiple of theirs. A dash: it takes minutes to build there.",
		"",
		...table(
			["engine", "by", ...sizes.map((size) => size.toLocaleString("en"))],
			[
				rowOf("**Copilot-LD**", "all legs", ours),
				...engines.map((engine) => {
					const measured = peers.filter((peer) => peer.engine === engine);
					return rowOf(engine, measured[0]?.by ?? "", measured);
				}),
			],
		),
	];
}

function ownTable(ours: readonly OwnMeasurement[]): string[] {
	const row = (name: string, cellOf: (own: OwnMeasurement) => string) => [name, ...ours.map(cellOf)];
	return table(
		["passages", ...ours.map(({ size }) => size.toLocaleString("en"))],
		[
			row("store, with its indexes (s)", ({ buildSeconds }) => figure(buildSeconds)),
			row("search, p50 / p95 (ms)", latency),
			row("search while documents are replaced (ms)", ({ whileWriting }) => latency(whileWriting)),
			row("open what is there, to the first answer (ms)", ({ reopenMs }) => figure(reopenMs)),
			row("memory of the process (MB)", ({ residentMb }) => `${residentMb}`),
			row("recall of the vector leg at 10", ({ recall }) => (Number.isNaN(recall) ? "–" : recall.toFixed(3))),
			row("replace one document (ms)", ({ edits }) => (edits ? latency(edits.replace) : "–")),
			row("legs before the edits (ms)", ({ edits }) => (edits ? latency(edits.before) : "–")),
			row("legs after the edits (ms)", ({ edits }) =>
				edits ? `${latency(edits.after)} (${edits.documents})` : "–",
			),
			row("disk after the edits", ({ edits }) => (edits ? `${figure(edits.diskShare)} ×` : "–")),
		],
	);
}

function filesTable(files: FilesMeasurement): string[] {
	const { passages, indexSeconds, firstAnswerSeconds, peakMb, reopenMs, editMs } = files;
	const rate = Math.round(passages / indexSeconds).toLocaleString("en");
	return table(
		["", ""],
		[
			["files → passages", `${files.files.toLocaleString("en")} → ${passages.toLocaleString("en")}`],
			["indexed and searchable", `${figure(indexSeconds)} s, ${rate} passages/s`],
			["from the start of the worker to the first answer of the whole", `${figure(firstAnswerSeconds)} s`],
			["most memory that the worker had", `${peakMb} MB`],
			["search over the pipe (ms)", latency(files.search)],
			["the same without a pipe (ms)", latency(files.withoutPipe)],
			["search over the pipe while files are indexed (ms)", latency(files.whileIndexing)],
			["start again over the unchanged files, to the first answer", `${figure(reopenMs)} ms`],
			["from a file's save to its being found (ms)", latency(editMs)],
		],
	);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
	const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
	return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}

function latency({ p50, p95 }: Latency): string {
	return `${figure(p50)} / ${figure(p95)}`;
}

/** Three figures that mean something. */
function figure(value: number): string {
	return value >= 100 ? `${Math.round(value)}` : `${Number(value.toPrecision(2))}`;
}
