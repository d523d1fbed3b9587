import { randomUUID } from "node:crypto";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { messageOf } from "../../src/base/failure.ts";

/** Environment variable of the extension host with the address of the pipe. */
const ADDRESS = "COPILOT_LD_REPORT";

export interface ReportChannel {
	/** Environment variables for the VS Code that sends reports. */
	readonly env: Readonly<Record<string, string>>;
	close(): void;
}

/** Opens a local pipe for reports from a bundle inside VS Code; the results of `receive` are the answers. */
export async function openReportChannel<Report>(
	receive: (report: Report) => unknown,
): Promise<ReportChannel> {
	const name = `copilot-ld-${randomUUID()}`;
	const address = process.platform === "win32" ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
	const server = createServer(async (incoming, response) => {
		try {
			const reply = await receive((await json(incoming)) as Report);
			response.end(JSON.stringify(reply ?? null));
		} catch (thrown) {
			// Only the test that sent the report fails.
			response.writeHead(500).end(JSON.stringify(messageOf(thrown)));
		}
	});
	await new Promise<void>((resolve) => server.listen(address, resolve));
	return {
		env: { [ADDRESS]: address },
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
}

/** Uses a new connection for each report: the server closes idle ones after five seconds. */
const TO = { method: "POST", agent: false } as const;

/** Sends a report to the script that started this VS Code; resolves with its answer. */
export function sendReport<Report, Reply = null>(report: Report): Promise<Reply> {
	return new Promise((resolve, reject) => {
		const outgoing = request({ ...TO, socketPath: process.env[ADDRESS] ?? "" }, async (response) => {
			const reply = await json(response);
			if (response.statusCode === 200) resolve(reply as Reply);
			else reject(new Error(String(reply)));
		});
		outgoing.once("error", reject);
		outgoing.end(JSON.stringify(report));
	});
}
