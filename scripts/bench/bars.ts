import { figure } from "./figure.ts";
import type {
	AgentsMeasurement,
	FilesMeasurement,
	Measurements,
	MemoryMeasurement,
	NamesMeasurement,
	OfficeMeasurement,
	OwnMeasurement,
	PictureMeasurement,
} from "./measurement.ts";
import { bareLancedb } from "./peers/bareLancedb.ts";

/** A requirement on two cores: a sentence, the measured figure, and whether it is met. */
interface Bar {
	readonly says: string;
	readonly measured: string;
	readonly holds: boolean;
}

export function barsOf(measured: Measurements): Bar[] {
	const { ours, onDisk, files, memory, office, sessions, cli, agents, plugins, names, picture } = measured;
	return [
		...searchBars(ours),
		...onDiskBars(onDisk),
		...ratioBars(measured),
		...fileBars(files),
		...memory.slice(0, 1).flatMap((life) => indexBars(life, files.passages)),
		...officeBars(office),
		bar("list of 10,000 sessions ≤ 300 ms", sessions.listAtStart, 300, "ms"),
		bar("search in 200,000 messages ≤ 100 ms", sessions.search.p50, 100, "ms"),
		bar("recall ≤ 20 ms", sessions.recall.p50, 20, "ms"),
		bar("append a turn ≤ 5 ms", sessions.append.p50, 5, "ms"),
		...agentBars(agents),
		...nameBars(names),
		...pictureBars(picture),
		bar(`${plugins.count} plugins are read and checked ≤ 150 ms`, plugins.load.p50, 150, "ms"),
		bar("a call of a saved query, beyond the query ≤ 2 ms", plugins.call.p95, 2, "ms"),
		bar("from the CLI's line to our event ≤ 1 ms, median", cli.overhead.median, 1, "ms"),
		bar("the same ≤ 10 ms, p99", cli.overhead.p99, 10, "ms"),
		bar("a cancelled turn of the CLI is over ≤ 100 ms", cli.cancel.median, 100, "ms"),
		bar("a session of 13 MB loads ≤ 1.2 × the bare protocol", cli.load.ratio, 1.2, "×"),
	];
}

function officeBars(office: OfficeMeasurement | undefined): Bar[] {
	if (!office) return [];
	const { pages, pdfSeconds, docxMegabytes, docxReadSeconds } = office;
	return [
		atLeast("≥ 60 pages of PDF indexed per second", pages / pdfSeconds, 60, "/s"),
		atLeast(
			"≥ 5 MB of Word documents read per second, on two cores",
			docxMegabytes / docxReadSeconds,
			5,
			"MB/s",
		),
	];
}

function agentBars({ count, discover, floor, evaluate, select, step }: AgentsMeasurement): Bar[] {
	return [
		bar(`${count} files of agents found and checked ≤ 100 ms`, discover.p50, 100, "ms"),
		bar("the same ≤ 2 × reading the files and their YAML", discover.p50 / floor.p50, 2, "×"),
		bar("a prompt is evaluated ≤ 10 ms", evaluate.p95, 10, "ms"),
		bar(`agents are selected among ${count} ≤ 20 ms`, select.p50, 20, "ms"),
		bar("a step of a chain, beside its engine ≤ 30 ms", step.p50, 30, "ms"),
	];
}

function nameBars(names: NamesMeasurement): Bar[] {
	const { statements, completion, hover, references, afterCommit, neighbourhood } = names;
	const inStatements = `in ${statements.toLocaleString("en")} statements`;
	return [
		bar(`p95 of completion ${inStatements} ≤ 30 ms`, completion.p95, 30, "ms"),
		bar("the same, the first after a file was saved ≤ 30 ms", afterCommit.p95, 30, "ms"),
		bar(`p95 of hover and definition ${inStatements} ≤ 30 ms`, hover.p95, 30, "ms"),
		bar(`p95 of 1,000 references ${inStatements} ≤ 100 ms`, references.p95, 100, "ms"),
		bar("p95 of what a picture of 300 things asks for ≤ 100 ms", neighbourhood.p95, 100, "ms"),
	];
}

function pictureBars({ things, first, manyThings, firstOfMany, frame }: PictureMeasurement): Bar[] {
	const many = manyThings.toLocaleString("en");
	return [
		bar(`p95 of the first picture of ${things} things ≤ 500 ms`, first.p95, 500, "ms"),
		bar(`p95 of the first picture of ${many} things ≤ 2,000 ms`, firstOfMany.p95, 2000, "ms"),
		bar(`p95 of a frame while ${many} things are moved ≤ 50 ms`, frame.p95, 50, "ms"),
	];
}

function bar(says: string, value: number, most: number, unit: string): Bar {
	return { says, measured: `${figure(value)} ${unit}`, holds: value <= most };
}

function atLeast(says: string, value: number, least: number, unit: string): Bar {
	return { says, measured: `${figure(value)} ${unit}`, holds: value >= least };
}

/** Bars for the measured sizes only. */
function searchBars(ours: readonly OwnMeasurement[]): Bar[] {
	return ours.flatMap(({ size, p50, p95, reopenMs, residentMb, edits }) => {
		const passages = `${size.toLocaleString("en")} passages`;
		if (size === 10_000) return editBars(edits);
		if (size === 1_000_000)
			return [
				bar(`p50 at ${passages} ≤ 8 ms`, p50, 8, "ms"),
				bar(`memory with ${passages} ≤ 1,600 MB`, residentMb, 1600, "MB"),
			];
		if (size !== 100_000) return [];
		return [
			bar(`p95 at ${passages} ≤ 20 ms`, p95, 20, "ms"),
			bar(`opened again with ${passages}, first answer ≤ 300 ms`, reopenMs, 300, "ms"),
			bar(`memory with ${passages} ≤ 600 MB`, residentMb, 600, "MB"),
			...editBars(edits),
		];
	});
}

/** Maximum time of a search in memory, as a multiple of LanceDB's own hybrid query, by number of passages. */
const IN_MEMORY: Readonly<Record<number, number>> = { 10000: 0.55, 100000: 0.8 };
const BY_LANCEDB = 2;

function ratioBars({ ours, onDisk, peers }: Measurements): Bar[] {
	return peers
		.filter(({ engine }) => engine === bareLancedb.name)
		.flatMap(({ size, p50 }) => {
			const of = (all: readonly OwnMeasurement[]) => (all.find((own) => own.size === size)?.p50 ?? 0) / p50;
			const says = (most: number) =>
				`p50 at ${size.toLocaleString("en")} passages ≤ ${most} × LanceDB's own hybrid query`;
			const most = IN_MEMORY[size];
			return [
				...(most === undefined ? [] : [bar(says(most), of(ours), most, "×")]),
				bar(`by LanceDB's indexes, ${says(BY_LANCEDB)}`, of(onDisk), BY_LANCEDB, "×"),
			];
		});
}

/** Bars for LanceDB's indexes, which serve collections too large for memory. */
function onDiskBars(onDisk: readonly OwnMeasurement[]): Bar[] {
	return onDisk
		.filter(({ size }) => size === 1_000_000)
		.flatMap(({ p50, reopenMs, residentMb }) => [
			bar("by LanceDB's indexes, p50 at 1,000,000 passages ≤ 15 ms", p50, 15, "ms"),
			bar("the same, opened to the first answer ≤ 1,000 ms", reopenMs, 1000, "ms"),
			bar("the same, memory ≤ 700 MB", residentMb, 700, "MB"),
		]);
}

function indexBars({ indexSeconds, diskBytes, fileBytes }: MemoryMeasurement, passages: number): Bar[] {
	return [
		atLeast("≥ 6,000 passages of files indexed per second", passages / indexSeconds, 6000, "/s"),
		bar("disk ≤ 1.8 × the files", diskBytes / fileBytes, 1.8, "×"),
	];
}

function editBars(edits: OwnMeasurement["edits"]): Bar[] {
	if (!edits) return [];
	const { documents, before, after, restMs, diskShare } = edits;
	const rest = `${documents} edits and the worker's rest of ${Math.round(restMs / 1000)} s`;
	return [
		bar(`p95 after ${rest} ≤ 1.2 × before`, after.p95 / before.p95, 1.2, "×"),
		bar(`disk after ${rest} ≤ 1.5 × before`, diskShare, 1.5, "×"),
	];
}

function fileBars(files: FilesMeasurement): Bar[] {
	return [
		bar("p95 of a search in files ≤ 50 ms", files.search.p95, 50, "ms"),
		bar("p95 while files are indexed ≤ 15 ms", files.whileIndexing.p95, 15, "ms"),
		bar("over the pipe ≤ 2 ms more than without it", files.search.p50 - files.withoutPipe.p50, 2, "ms"),
		bar("the first hit while they are indexed for the first time ≤ 1,000 ms", files.firstHitMs, 1000, "ms"),
		bar("an edited file is found ≤ 300 ms after it was saved", files.editMs.p50, 300, "ms"),
	];
}
