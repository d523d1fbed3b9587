import { createParserProcess, type Parser, type ParserProcessOptions } from "./parserProcess.ts";

/** Several parsers as one: each file goes to one that is free, and more processes are started only for more files at a time. */
export interface ParserPool extends Parser {
	/** Files that can be read at a time. */
	readonly size: number;
	/** Ends the processes that a single file does not need. */
	rest(): Promise<void>;
}

export function createParserPool(options: ParserProcessOptions, size: number): ParserPool {
	const parsers = Array.from({ length: size }, () => createParserProcess(options));
	// Those in front are taken first: the others may never be needed.
	const free = [...parsers];
	const waiting: ((parser: Parser) => void)[] = [];
	return {
		size,
		parse: (request, signal) => withOne((parser) => parser.parse(request, signal)),
		work: (request, signal) => withOne((parser) => parser.work(request, signal)),
		rest: () => closeAll(free.slice(1)),
		close: () => closeAll(parsers),
	};

	async function withOne<Result>(use: (parser: Parser) => Promise<Result>): Promise<Result> {
		const parser = await take();
		try {
			return await use(parser);
		} finally {
			giveBack(parser);
		}
	}

	async function take(): Promise<Parser> {
		return free.shift() ?? new Promise((resolve) => waiting.push(resolve));
	}

	function giveBack(parser: Parser): void {
		const next = waiting.shift();
		if (next) next(parser);
		else free.unshift(parser);
	}
}

async function closeAll(parsers: readonly Parser[]): Promise<void> {
	await Promise.all(parsers.map((parser) => parser.close()));
}
