import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { createAcpClient } from "../../../src/acp/link/acpClient.ts";
import { findCli } from "../../../src/acp/link/findCli.ts";
import { connectToServer } from "../../../src/acp/link/tcpLink.ts";
import { createSessionFiles } from "../../../src/acp/stored/storedSessions.ts";
import { createCliSessions } from "../../../src/acp/turn/session/cliSessions.ts";
import { portOf } from "../../support/listening.ts";
import { answerOf, makeFolder, requestFor, runnerOn, runToEnd } from "../realCli.ts";
import { startModelServer } from "../scriptedModelServer.ts";

async function freePort(t: TestContext): Promise<number> {
	const server = createServer();
	const port = await portOf(t, server);
	server.close();
	return port;
}

/** The real CLI as a server; it does not say when it listens, so it is asked until it does. */
async function startServer(t: TestContext) {
	const model = await startModelServer(t, () => ({ text: ["From afar."] }));
	const { command } = await findCli({ setting: "", env: {}, packageFolders: [resolve(".")] });
	const folder = await makeFolder(t);
	const port = await freePort(t);
	const home = join(folder, "home");
	const child = spawn(command, ["--acp", "--port", String(port)], {
		cwd: folder,
		env: { PATH: process.env["PATH"], HOME: folder, ...model.env, COPILOT_HOME: home },
		stdio: "ignore",
	});
	const ended = once(child, "close");
	t.after(async () => {
		child.kill();
		await ended;
	});
	const address = `127.0.0.1:${port}`;
	while (child.exitCode === null && !(await isListening(address))) await setTimeout(50);
	return { address, folder, home };
}

async function isListening(address: string): Promise<boolean> {
	try {
		await (await connectToServer(address)).stop();
		return true;
	} catch {
		return false;
	}
}

test("a CLI that runs as a server answers, and goes on running when we let go of it", async (t) => {
	const { address, folder, home } = await startServer(t);
	const files = createSessionFiles(home);
	for (let times = 0; times < 2; times++) {
		const client = createAcpClient({ open: () => connectToServer(address), version: "0.0.0" });
		const sessions = createCliSessions({ client, files, mayAllowAll: async () => false });
		const session = await sessions.create({ cwd: folder, mcpServers: [] });
		assert.equal(answerOf(await runToEnd(runnerOn({ files }, session), requestFor("Hello"))), "From afar.");
		await client.stop();
	}
});

test("if nothing answers, the error names the command that starts a server", async (t) => {
	const address = `127.0.0.1:${await freePort(t)}`;
	await assert.rejects(connectToServer(address), { code: "CLI_MISSING", message: /copilot --acp --port/ });
});

for (const address of ["example.org:80", "10.0.0.1:9931", "nonsense", "127.0.0.1"])
	test(`${address} is refused: only a server on this computer is taken`, async () => {
		await assert.rejects(connectToServer(address), { code: "BAD_INPUT" });
	});
