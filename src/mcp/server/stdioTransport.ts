import type { Readable, Writable } from "node:stream";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ErrorCode, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { fieldOf, parseJson } from "../../base/values.ts";

/** Maximum bytes of a message, as over HTTP. */
const MAX_BYTES = 1_000_000;
const TOO_LONG = `This message is longer than ${MAX_BYTES} bytes, and was not read. Send a shorter one.`;

/** Characters that count as line ends in some languages, where clients would split a message. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

type Id = string | number | null;

/** Sends messages as lines. The SDK's transport stops at long lines and misses the end of input. */
export function createStdioTransport(input: Readable, output: Writable): Transport {
	const lines = createBoundedLines(MAX_BYTES, {
		onLine: (line) => {
			const value = parseJson(line);
			if (value === undefined) return refuse(null, ErrorCode.ParseError, "This line is not JSON.");
			const { success, data } = JSONRPCMessageSchema.safeParse(value);
			if (success) transport.onmessage?.(data);
			else refuse(idOf(value), ErrorCode.InvalidRequest, "This line is no message of JSON-RPC 2.0.");
		},
		onTooLong: (head, tail) => refuse(idAtAnEnd(head, tail), ErrorCode.InvalidRequest, TOO_LONG),
	});
	let isClosed = false;
	const close = () => {
		if (isClosed) return;
		isClosed = true;
		input.off("data", lines.add);
		transport.onclose?.();
	};
	const transport: Transport = {
		start: async () => {
			input.on("data", lines.add).once("end", close).once("close", close).on("error", close);
			output.on("error", close).once("close", close);
		},
		send: async (message) => write(message),
		close: async () => close(),
	};
	return transport;

	/** Pauses reading until the client has read the answer, so that answers do not pile up. */
	function write(message: object): void {
		const escaped = (end: string) => `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`;
		const line = JSON.stringify(message).replace(LINE_ENDS, escaped);
		if (isClosed || output.write(`${line}\n`) || input.isPaused()) return;
		input.pause();
		output.once("drain", () => input.resume());
	}

	function refuse(id: Id, code: ErrorCode, message: string): void {
		write({ jsonrpc: "2.0", id, error: { code, message } });
	}
}

function idOf(value: unknown): Id {
	const id = fieldOf(value, "id");
	return typeof id === "string" || typeof id === "number" ? id : null;
}

/** Finds the id of an unparsed message near the beginning or end, where most clients write the id. */
function idAtAnEnd(head: string, tail: string): Id {
	const [, id = ""] = FIRST_ID.exec(head) ?? LAST_ID.exec(tail) ?? [];
	return idOf({ id: parseJson(id) });
}

const FIRST_ID =
	/^\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*"id"\s*:\s*(-?\d+|"[^"\\]*")\s*[,}]/;
const LAST_ID = /[,{]\s*"id"\s*:\s*(-?\d+|"[^"\\]*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;
const LINE_BREAK = 0x0a;

/** Bytes kept at each end of a line that is too long. */
const KEPT = 4096;

/** Splits bytes into lines. Buffers at most `maxBytes`; reports both ends of a longer line. */
export function createBoundedLines(
	maxBytes: number,
	{ onLine, onTooLong }: { onLine(line: string): void; onTooLong(head: string, tail: string): void },
) {
	let held: Buffer[] = [];
	let size = 0;
	const take = (part: Buffer) => {
		held.push(part);
		size += part.length;
		if (size <= maxBytes) return;
		const line = Buffer.concat(held);
		held = [line.subarray(0, KEPT), line.subarray(-KEPT)].map((end) => Buffer.from(end));
	};
	const endLine = () => {
		const line = Buffer.concat(held);
		if (size > maxBytes) onTooLong(line.toString("utf8", 0, KEPT), line.toString("utf8", line.length - KEPT));
		else if (line.toString().trim() !== "") onLine(line.toString());
		held = [];
		size = 0;
	};
	return {
		add: (chunk: Buffer) => {
			let start = 0;
			for (let end = chunk.indexOf(LINE_BREAK); end >= 0; end = chunk.indexOf(LINE_BREAK, start)) {
				take(chunk.subarray(start, end));
				endLine();
				start = end + 1;
			}
			take(chunk.subarray(start));
		},
	};
}
