import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { createAcpClient } from "../../../src/acp/link/acpClient.ts";
import { findCli } from "../../../src/acp/link/findCli.ts";
import { createIdleStop } from "../../../src/acp/link/idleStop.ts";
import { connectToServer } from "../../../src/acp/link/tcpLink.ts";
import { createCliSessions } from "../../../src/acp/turn/session/cliSessions.ts";
import { makeFolder } from "../../support/folder.ts";
import { portOf } from "../../support/listening.ts";
import { untilIt } from "../../support/untilIt.ts";
import { answerOf, askOn, startRealCli } from "../realCli.ts";

const REAL = { setting: "", env: {}, packageFolders: [resolve(".")] };

const ofShell = { skip: process.platform === "win32" && "Windows links and starts programs in another way" };

test("the npm package's CLI is found, even behind its loader", ofShell, async (t) => {
	const { command, version } = await findCli(REAL);
	assert.match(version, /^\d+\.\d+\.\d+$/);
	assert.match(command, /copilot-\w+-\w+[\\/]copilot(?:\.exe)?$/);
	const bin = await makeFolder(t);
	await symlink(resolve("node_modules/@github/copilot/npm-loader.js"), join(bin, "copilot"));
	assert.equal((await findCli({ setting: "", env: { PATH: bin } })).command, command);
});

test("a path in the settings is used exclusively", async (t) => {
	const { command } = await findCli(REAL);
	assert.equal((await findCli({ setting: command, env: {} })).command, command);
	const setting = join(await makeFolder(t), "copilot");
	await assert.rejects(findCli({ ...REAL, setting }), { code: "CLI_MISSING", message: /Correct copilot-LD/ });
	await assert.rejects(findCli({ ...REAL, setting: "copilot" }), { message: /absolute path/ });
});

test("an error about a missing or old CLI names the next step", ofShell, async (t) => {
	const setting = join(await makeFolder(t), "copilot");
	const PATH = dirname(setting);
	for (const [says, code, message] of [
		["", "CLI_MISSING", /npm install/],
		["copilot version: v1.34.0", "CLI_MISSING", /npm install/],
		["0.0.354", "CLI_OLD", /0\.0\.354.* upd/],
	] as const) {
		if (says) await writeFile(setting, `#!/bin/sh\necho "${says}"\n`, { mode: 0o755 });
		await assert.rejects(findCli({ setting: "", env: { PATH } }), { code, message });
	}
	await assert.rejects(findCli({ setting, env: {} }), { code: "CLI_OLD" });
	assert.notEqual((await findCli({ ...REAL, env: { PATH } })).command, setting, "a newer CLI is preferred");
});

async function freeAddress(t: TestContext): Promise<string> {
	const server = createServer();
	const port = await portOf(t, server);
	server.close();
	return `127.0.0.1:${port}`;
}
async function startServer(t: TestContext) {
	const { env, files, work } = await startRealCli(t, () => ({ text: ["From afar."] }));
	const { command } = await findCli(REAL);
	const address = await freeAddress(t);
	const args = ["--acp", "--port", new URL(`http://${address}`).port];
	const child = spawn(command, args, { cwd: work, env, stdio: "ignore" });
	const ended = once(child, "close");
	t.after(async () => {
		child.kill();
		await ended;
	});
	const tryIt = async () => (await connectToServer(address)).stop().then(() => true);
	await untilIt(() => tryIt().catch(() => false), Boolean);
	return { address, work, files };
}

test("a CLI server answers, and keeps running after we disconnect", async (t) => {
	const { address, work, files } = await startServer(t);
	for (let times = 0; times < 2; times++) {
		const client = createAcpClient({ open: () => connectToServer(address), version: "0.0.0" });
		const sessions = createCliSessions({ client, files, mayAllowAll: async () => false });
		const session = await sessions.create({ cwd: work, mcpServers: [] });
		assert.equal(answerOf(await askOn({}, session, "Hello")), "From afar.");
		await client.stop();
	}
});

test("only servers on this computer are accepted; the error about a missing server names the command to start one", async (t) => {
	const missing = { code: "CLI_MISSING", message: /copilot --acp --port/ };
	await assert.rejects(connectToServer(await freeAddress(t)), missing);
	for (const refused of ["example.org:80", "10.0.0.1:9931", "nonsense", "127.0.0.1"])
		await assert.rejects(connectToServer(refused), { code: "BAD_INPUT" }, refused);
});

test("an idle agent is stopped once after the set time, and a use during the stop waits for its end", async (t) => {
	t.mock.timers.enable({ apis: ["setTimeout"] });
	const tick = (ms: number) => t.mock.timers.tick(ms);
	const [stopping, long] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
	const seen: string[] = [];
	let idleMs = 0;
	const stop = async () => {
		seen.push("stop");
		await stopping.promise;
		seen.push("stopped");
	};
	const idle = createIdleStop({ idleMs: () => idleMs, stop });
	await idle.during(async () => undefined);
	tick(10_000_000);
	assert.equal(seen.length, 0, "the time 0 means never");
	idleMs = 1000;
	const used = idle.during(() => long.promise);
	const failing = () => idle.during(() => Promise.reject(new Error("no")));
	await assert.rejects(failing, /no/);
	tick(100_000);
	long.resolve();
	await used;
	tick(999);
	assert.equal(seen.length, 0, "an agent in use is not stopped");
	tick(5000);
	assert.deepEqual(seen, ["stop"]);
	const next = idle.during(async () => void seen.push("used"));
	stopping.resolve();
	await next;
	assert.deepEqual(seen, ["stop", "stopped", "used"]);
});
