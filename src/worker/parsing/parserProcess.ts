import { type ChildProcess, fork } from "node:child_process";
import { addAbortListener, once } from "node:events";
import { type Level, type Recorder, unrecorded } from "../../base/traces/recorder.ts";
import { createTermReceiver } from "../../search/termCounts.ts";
import { patienceFor } from "../files/refusal.ts";
import type {
	AnyTask,
	FileAnswer,
	FileRequest,
	ParserMessage,
	ParserOptions,
	ParserRequest,
	TaskOutcome,
	TaskRequest,
	Tasks,
} from "./parserMessage.ts";
import { CLOCK_STREAM, MOST_MB } from "./processorClock.ts";

const LARGE_BYTES = 8_000_000;

const PATIENCE_MS = 300_000;

/** Handles one request at a time: wait for the answer before the next call. */
export interface Parser {
	/** If the file breaks the parser, the answer says so. Rejects only with the signal's reason. */
	parse(request: FileRequest, signal: AbortSignal): Promise<FileAnswer>;
	/** Runs a task that a hostile file could make endless. Rejects only with the signal's reason. */
	work<Name extends keyof Tasks>(request: TaskRequest<Name>, signal: AbortSignal): Promise<TaskOutcome<Name>>;
	start(): Promise<void>;
	close(): Promise<void>;
}

export interface ParserProcessOptions {
	readonly program: string;
	readonly options: ParserOptions;
	/** Limit of processor time per file: on a busy machine, elapsed time says little about the file. */
	readonly limitMs: number;
	/** Maximum elapsed time of a file beyond its processor time, because waiting uses no processor time. */
	readonly patienceMs?: number;
	readonly maxHeapMb: number;
	readonly recorder?: Recorder;
}

/** Runs a parser in its own process, which a file may break, for example by exhausting the memory. */
export function createParserProcess(parts: ParserProcessOptions): Parser {
	const { limitMs } = parts;
	let receive = createTermReceiver();
	const { put, start, stop } = createProgram(parts, () => {
		receive = createTermReceiver();
	});
	return {
		start,
		parse: async (request, signal) => {
			const message = await put(request, limitMs * patienceFor(request.path), signal);
			if (message.kind !== "answer")
				return { kind: "leftOut", state: { kind: "failed", reason: reasonOf(message) } };
			const { answer: sent } = message;
			const answer = sent.kind === "parsed" ? { ...sent, terms: receive(sent.terms) } : sent;
			// An idle process would keep the memory of a large file.
			if (answer.kind === "parsed" && (answer.facts?.size ?? 0) > LARGE_BYTES) await stop();
			return answer;
		},
		work: async <Name extends keyof Tasks>(request: TaskRequest<Name>, signal: AbortSignal) => {
			const message = await put(request as AnyTask, limitMs, signal);
			if (message.kind === "done" || message.kind === "refused") return message as TaskOutcome<Name>;
			return { kind: "broken", reason: reasonOf(message) };
		},
		close: stop,
	};
}

function createProgram(
	{ program, options, patienceMs = PATIENCE_MS, maxHeapMb, recorder = unrecorded }: ParserProcessOptions,
	onStart: () => void,
) {
	const note = (level: Level, event: string, text?: string) =>
		recorder.note({ namespace: "parser", level, event, ...(text !== undefined && { text }) });
	let child: ChildProcess | undefined;
	let asked = 0;
	return { put, start, stop };

	async function start(): Promise<void> {
		child ??= await launch();
	}

	async function put(request: ParserRequest, cpuMs: number, signal: AbortSignal): Promise<ParserMessage> {
		signal.throwIfAborted();
		child ??= await launch();
		try {
			const times = { cpuMs, wallMs: cpuMs + patienceMs };
			const message = await ask(child, request, { ...times, number: ++asked, signal });
			if (message.kind !== "broken") return message;
			note("warn", "parser broke", message.reason);
			await stop();
			return message;
		} catch (thrown) {
			await stop();
			throw thrown;
		}
	}

	async function launch(): Promise<ChildProcess> {
		asked = 0;
		onStart();
		note("info", "parser starts");
		const started = forkParser(program, options, maxHeapMb);
		started.once("exit", () => {
			if (child === started) child = undefined;
		});
		return untilReady(started);
	}

	async function stop(): Promise<void> {
		const stopped = child;
		child = undefined;
		if (!stopped || stopped.exitCode !== null || stopped.signalCode !== null) return;
		const ended = once(stopped, "exit");
		stopped.kill("SIGKILL");
		await ended;
	}
}

function forkParser(program: string, options: object, maxHeapMb: number): ChildProcess {
	return fork(program, [JSON.stringify(options)], {
		serialization: "advanced",
		execArgv: [
			`--max-old-space-size=${maxHeapMb}`,
			// The heap starts large, because a parser lives for seconds and early garbage collections waste time.
			`--initial-old-space-size=${Math.round(maxHeapMb / 5)}`,
			// There is a parser process per core, so helper threads would slow down other parsers.
			"--single-threaded-gc",
		],
		// The last stream is for the processor clock.
		stdio: ["ignore", "ignore", "inherit", "ipc", "pipe"],
	});
}

async function untilReady(started: ChildProcess): Promise<ChildProcess> {
	const ready = once(started, "message");
	const ended = once(started, "exit").then(([code]) => {
		throw new Error(`The parser did not start (exit code ${code}). Its output is in the log above.`);
	});
	await Promise.race([ready, ended]);
	ended.catch(() => undefined);
	return started;
}

function reasonOf(message: ParserMessage): string {
	return message.kind === "broken" ? message.reason : "the parser gave no answer";
}

interface Asked {
	readonly cpuMs: number;
	readonly wallMs: number;
	readonly number: number;
	readonly signal: AbortSignal;
}

async function ask(child: ChildProcess, request: ParserRequest, { cpuMs, wallMs, number, signal }: Asked) {
	const { promise, resolve, reject } = Promise.withResolvers<ParserMessage>();
	const breakOff = (reason: string) => resolve({ kind: "broken", reason });
	const answer = (message: unknown) => resolve(message as ParserMessage);
	const exit = () => breakOff("the parser crashed, or ran out of memory");
	const timer = setTimeout(() => breakOff(`did not end within ${wallMs / 1000} s`), wallMs);
	const clock = child.stdio[CLOCK_STREAM];
	const tick = (heard: Buffer) => {
		const { ms, mb } = takenBy(number, heard);
		if (ms > cpuMs) breakOff(`took longer than ${cpuMs / 1000} s of processor time`);
		if (mb > MOST_MB) breakOff(`took more than ${MOST_MB} MB of memory`);
	};
	child.once("message", answer).once("error", exit).once("exit", exit);
	clock?.on("data", tick);
	using _ = addAbortListener(signal, () => reject(signal.reason));
	child.send(request);
	try {
		return await promise;
	} finally {
		clearTimeout(timer);
		clock?.off("data", tick);
		child.off("message", answer).off("error", exit).off("exit", exit);
	}
}

/** Ignores late reports of the clock about the previous file. */
function takenBy(number: number, heard: Buffer) {
	const [file, ms = 0, mb = 0] = heard.toString().trimEnd().split("\n").at(-1)?.split(" ").map(Number) ?? [];
	return file === number ? { ms, mb } : { ms: 0, mb: 0 };
}

/** Sends each file to a free parser; processes start only as needed. */
export interface ParserPool extends Parser {
	readonly size: number;
	rest(): Promise<void>;
}

export function createParserPool(options: ParserProcessOptions, size: number): ParserPool {
	const parsers = Array.from({ length: size }, () => createParserProcess(options));
	// Free parsers at the front are used first, so parsers at the end may never start.
	const free = [...parsers];
	const waiting: ((parser: Parser) => void)[] = [];
	return {
		size,
		parse: (request, signal) => withOne((parser) => parser.parse(request, signal)),
		work: (request, signal) => withOne((parser) => parser.work(request, signal)),
		start: async () => {
			await Promise.all(parsers.map(() => withOne((parser) => parser.start())));
		},
		rest: () => closeAll(free.slice(1)),
		close: () => closeAll(parsers),
	};

	async function withOne<Result>(use: (parser: Parser) => Promise<Result>): Promise<Result> {
		const parser = free.shift() ?? (await new Promise<Parser>((resolve) => waiting.push(resolve)));
		try {
			return await use(parser);
		} finally {
			const next = waiting.shift();
			if (next) next(parser);
			else free.unshift(parser);
		}
	}
}

async function closeAll(parsers: readonly Parser[]): Promise<void> {
	await Promise.all(parsers.map((parser) => parser.close()));
}
