import { arch, cpus, platform, totalmem } from "node:os";
import { barsOf } from "./bars.ts";
import { figure } from "./figure.ts";
import type { Measurements, MemoryMeasurement, OwnMeasurement, SearchMeasurement } from "./measurement.ts";
import type { Latency } from "./timing.ts";

/** `docs/bench.md`. */
export function writeReport(measured: Measurements): string {
	return [
		"# Speed",
		"",
		`Written by \`npm run bench\` on ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB, ${platform()} ${arch()}, Node ${process.versions.node}. Compare figures within one run only.`,
		"",
		"Passages have 60 to 140 words that the built-in model knows, ten to a document; one document of ten is linked data. Every engine runs in a process of its own with the same texts and vectors (256 dimensions), and is asked the same 200 questions of two to eight words for the best ten. Ours answers with all legs, reasons and texts; the others with one leg, except where two are named. After the single edits, the worker rests for some 16 s.",
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
		...enginesSection(measured),
		`## A folder of files: ${measured.files.name}`,
		"",
		...filesTable(measured),
		"",
		...memorySection(measured.memory),
		...officeSection(measured),
		"## Sessions, and the Copilot CLI",
		"",
		...sessionsTable(measured),
		"",
		"## Agents, and chains of them",
		"",
		...agentsTable(measured),
		"",
		...[pluginsSection, namesSection, modelSection].flatMap((section) => section(measured)),
	].join("\n");
}

function searchTable({ ours, onDisk, peers }: Measurements): string[] {
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
				rowOf("**Copilot-LD**, in memory", "all legs", ours),
				rowOf("**Copilot-LD**, by LanceDB's indexes", "all legs", onDisk),
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
			row("the same, of the processor (ms)", ({ cpuMs }) => figure(cpuMs)),
			row("search while documents are replaced (ms)", ({ whileWriting }) => latency(whileWriting)),
			row("open what is there, to the first answer (ms)", ({ reopenMs }) => figure(reopenMs)),
			row("memory of the process (MB)", ({ residentMb }) => `${residentMb}`),
			row("recall of the vector leg at 10", ({ recall }) => recall?.toFixed(3) ?? "–"),
			row("replace one document (ms)", ({ edits }) => (edits ? latency(edits.replace) : "–")),
			row("legs before the edits (ms)", ({ edits }) => (edits ? latency(edits.before) : "–")),
			row("legs after the edits and the rest (ms)", ({ edits }) => (edits ? latency(edits.after) : "–")),
			row("disk after the edits and the rest", ({ edits }) => (edits ? `${figure(edits.diskShare)} ×` : "–")),
		],
	);
}

export function enginesSection({ ours, onDisk }: Pick<Measurements, "ours" | "onDisk">): string[] {
	return [
		"## Ours, at every size",
		"",
		...ownTable(ours),
		"",
		"## Ours, where nothing is copied into memory",
		"",
		"For indexes larger than `copilot-LD.storage.options.memory`: LanceDB searches them where they are stored.",
		"",
		...ownTable(onDisk),
		"",
	];
}

function filesTable({ files, memory }: Measurements): string[] {
	const { passages, indexSeconds, firstAnswerSeconds, peakMb, reopenMs, editMs } = files;
	const indexed = (seconds: number) =>
		`${figure(seconds)} s, ${Math.round(passages / seconds).toLocaleString("en")} passages/s`;
	return table(
		["", ""],
		[
			["files → passages", `${files.files.toLocaleString("en")} → ${passages.toLocaleString("en")}`],
			...memory.slice(0, 1).map((life) => ["indexed and searchable", indexed(life.indexSeconds)]),
			["the same while questions are asked, one after the other", indexed(indexSeconds)],
			["from the start of the worker to the first answer of the whole", `${figure(firstAnswerSeconds)} s`],
			["from the beginning of the first indexing to the first hit", `${figure(files.firstHitMs)} ms`],
			["most memory that the worker had", `${peakMb} MB`],
			["search over the pipe (ms)", latency(files.search)],
			["the same without a pipe (ms)", latency(files.withoutPipe)],
			["search over the pipe while files are indexed (ms)", latency(files.whileIndexing)],
			["start again over the unchanged files, to the first answer", `${figure(reopenMs)} ms`],
			["from a file's save to its being found (ms)", latency(editMs)],
		],
	);
}

/** The section about memory: the maximum and the final value of each phase. */
function memorySection(memory: readonly MemoryMeasurement[]): string[] {
	const phases = memory[0]?.phases ?? [];
	const rows = phases.map(({ name }, index) => [name, ...memory.map((life) => phaseCell(life, index))]);
	const disk = ["**on the disk after the rest**", ...memory.map(diskCell)];
	return [
		"The worker's memory in MB, at most and at the end of each part; all questions are asked eight times.",
		"",
		...table(["", "in memory", "by LanceDB's indexes"], [...rows, disk]),
		"",
		"![The memory of a worker that searches in memory, against time](memory-memory.svg)",
		"",
		"![The memory of a worker that searches LanceDB's indexes, against time](memory-lancedb.svg)",
		"",
	];
}

function phaseCell({ samples, phases }: MemoryMeasurement, index: number): string {
	const [from = 0, to = Number.POSITIVE_INFINITY] = [phases[index]?.seconds, phases[index + 1]?.seconds];
	const held = samples
		.filter(({ seconds }) => seconds >= from && seconds < to)
		.map(({ workerMb }) => workerMb);
	return `${Math.max(0, ...held)} / ${held.at(-1) ?? 0}`;
}

function diskCell({ diskBytes, fileBytes }: MemoryMeasurement): string {
	return `${(diskBytes / 1e6).toFixed(1)} MB, ${figure(diskBytes / fileBytes)} × the files`;
}

function officeSection({ office }: Measurements): string[] {
	if (!office) return [];
	const { pages, pdfSeconds, bareSeconds, docxMegabytes, docxReadSeconds, docxSeconds } = office;
	const rows = [
		[
			`${pages.toLocaleString("en")} pages of PDF`,
			`${figure(pdfSeconds)} s, ${figure(pages / pdfSeconds)} pages/s`,
		],
		["the same by PDF.js alone, in one process", `${figure(bareSeconds)} s`],
		[
			`${figure(docxMegabytes)} MB of Word documents`,
			`${figure(docxSeconds)} s, ${figure(docxMegabytes / docxSeconds)} MB/s`,
		],
		[
			"the same read by two processes, and not indexed",
			`${figure(docxReadSeconds)} s, ${figure(docxMegabytes / docxReadSeconds)} MB/s`,
		],
	];
	return ["## Documents of office programs", "", ...table(["indexed and searchable", ""], rows), ""];
}

function sessionsTable({ sessions, cli }: Measurements): string[] {
	const count = `${sessions.sessions.toLocaleString("en")} sessions, ${sessions.messages.toLocaleString("en")} messages`;
	return table(
		[count, "ms, p50 / p95"],
		[
			["the list, by a process that has just started", figure(sessions.listAtStart)],
			["the list, later", latency(sessions.list)],
			["the list, where nothing but the journals is left", figure(sessions.listFromJournals)],
			["search in all sessions", latency(sessions.search)],
			["recall for a question", latency(sessions.recall)],
			["append a turn", latency(sessions.append)],
			[
				"from a line of an agent to our event, at 1,000 lines a second (p50 / p99)",
				`${cli.overhead.median} / ${cli.overhead.p99}`,
			],
			[
				"start of the real CLI, then the same question again",
				`${figure(cli.initialize.firstStart)}, then ${cli.initialize.fromCache.median}`,
			],
			["cancel a streaming answer of the real CLI (p50 / p99)", `${cli.cancel.median} / ${cli.cancel.p99}`],
			[
				`load a session of ${figure(cli.load.megabytes)} MB, against the bare protocol`,
				`${figure(cli.load.ours)} against ${figure(cli.load.raw)}`,
			],
		],
	);
}

function agentsTable({ agents }: Measurements): string[] {
	const { count, firstMs, discover, again, floor, evaluate, select, step } = agents;
	return table(
		[`${count} files of agents`, "ms, p50 / p95"],
		[
			["found, read and checked, the first time in a process", figure(firstMs)],
			["the same, nothing of them known yet", latency(discover)],
			["the same, where no file has changed", latency(again)],
			["only reading the files and their YAML", latency(floor)],
			["evaluate a prompt", latency(evaluate)],
			["select among them, with the built-in model", latency(select)],
			["a step of a chain, beside what its engine takes", latency(step)],
		],
	);
}

function namesSection({ names, picture }: Measurements): string[] {
	const rows = table(
		[`${names.statements.toLocaleString("en")} statements`, "ms, p50 / p95"],
		[
			["completion, with the prefixes that it may declare", latency(names.completion)],
			["the first completion of a worker, which makes the list of things", figure(names.firstFindMs)],
			["the first completion after a file was saved", latency(names.afterCommit)],
			["hover, or definition", latency(names.hover)],
			["references of a thing that 1,000 files point to", latency(names.references)],
			["what a picture of 300 things asks for", latency(names.neighbourhood)],
			[`the picture of ${picture.things} things, from its data to the screen`, latency(picture.first)],
			[`a picture of ${picture.manyThings.toLocaleString("en")}`, latency(picture.firstOfMany)],
			["a frame while those are moved", latency(picture.frame)],
			["choosing one of them, to its mark", latency(picture.choice)],
			[`rename in ${names.renamedFiles.toLocaleString("en")} files`, figure(names.renameMs)],
		],
	);
	return ["## Names in the editor", "", ...rows, ""];
}

function pluginsSection({ plugins: { count, firstMs, load, again, call } }: Measurements): string[] {
	const rows = [
		["found, read and checked, the first time in a process", figure(firstMs)],
		["the same, nothing of them known yet", latency(load)],
		["the same, where no file has changed", latency(again)],
		["a call of a saved query, beyond the query", latency(call)],
	];
	return ["## Plugins", "", ...table([`${count} plugins`, "ms, p50 / p95"], rows), ""];
}

function modelSection({ model }: Measurements): string[] {
	const rows = [
		["opened", figure(model.loadMs), figure(model.loadedMb)],
		["the first text in English", figure(model.englishMs), figure(model.englishMb)],
		["the first text in another language", figure(model.otherMs), figure(model.otherMb)],
		["a question, p50 / p95", latency(model.question), ""],
	];
	const head = ["in a process of its own", "ms", "MB more than before it was opened"];
	return ["## The built-in model", "", ...table(head, rows), ""];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
	const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
	return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}

function latency({ p50, p95 }: Latency): string {
	return `${figure(p50)} / ${figure(p95)}`;
}
