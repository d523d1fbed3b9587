import { randomUUID } from "node:crypto";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { messageOf } from "../../src/base/failure.ts";

/** Names the pipe in the environment of the extension host. */
const ADDRESS = "COPILOT_LD_REPORT";

export interface ReportDoor {
	/** For the environment of the VS Code that the reports come from. */
	readonly env: Readonly<Record<string, string>>;
	close(): void;
}

/** Opens a local pipe on which a bundle inside VS Code reports; what `receive` returns is the answer to it. */
export async function openReportDoor<Report>(receive: (report: Report) => unknown): Promise<ReportDoor> {
	const name = `copilot-ld-${randomUUID()}`;
	const address = process.platform === "win32" ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
	const server = createServer(async (incoming, response) => {
		try {
			const reply = await receive((await json(incoming)) as Report);
			response.end(JSON.stringify(reply ?? null));
		} catch (thrown) {
			// The test that asked fails, and the others go on.
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

/** A connection that was kept for the next report would be closed after five seconds. */
const TO = { method: "POST", agent: false } as const;

/** Reports to the script that started this VS Code; resolves with its answer when it has dealt with it. */
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
