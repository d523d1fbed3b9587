import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { sizeOf } from "../../../src/base/files/file.ts";
import { createLock } from "../../../src/base/files/lock.ts";
import { downloadModel } from "../../../src/embed/transformer/download.ts";
import { readModelForm } from "../../../src/embed/transformer/modelForm.ts";
import type { OfferedModel } from "../../../src/embed/transformer/offeredModels.ts";
import { makeFolder } from "../../support/folder.ts";
import { portOf } from "../../support/listening.ts";
import { untilIt } from "../../support/untilIt.ts";
import { tinyFiles } from "./tinyModel.ts";

type Answer = (request: IncomingMessage, response: ServerResponse, content: Buffer) => void;

const never = new AbortController().signal;
const FILES = Object.entries(tinyFiles()).map(([path, content]) => ({ path, content: Buffer.from(content) }));
const LARGEST = "tokenizer.json";

/** Sends the rest of a file from where it was broken off. */
const sendWell: Answer = ({ headers }, response, content) => {
	const start = Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1] ?? 0);
	if (start >= content.length) return void response.writeHead(416).end();
	response.writeHead(start > 0 ? 206 : 200, { "content-type": "application/octet-stream" });
	response.end(content.subarray(start));
};

/** A publisher on this computer, and what it offers. */
async function publish(t: TestContext, answer: Answer = sendWell) {
	const asked: string[] = [];
	const publisher = { answer, asked };
	const server = createServer((request, response) => {
		const path = (request.url ?? "").slice(1);
		asked.push(`${path} ${request.headers.range ?? ""}`.trim());
		const file = FILES.find((each) => each.path === path);
		if (file) publisher.answer(request, response, file.content);
		else response.writeHead(404).end();
	});
	const port = await portOf(t, server);
	const model: OfferedModel = {
		...{ name: "tiny", languages: "English", licence: "MIT", address: `http://127.0.0.1:${port}/` },
		files: FILES.map(({ path, content }) => ({
			...{ path, size: content.length + 10 },
			hash: createHash("sha256").update(content).digest("hex"),
		})),
		form: { pooling: "mean", maxTokens: 16 },
	};
	const folder = await makeFolder(t);
	const reported: number[] = [];
	const download = (signal = never) =>
		downloadModel(model, { folder, report: (done, all) => reported.push(done / all) }, signal);
	return { publisher, model, folder, reported, download, server };
}

test("a downloaded model is whole, and says how far it was on the way", async (t) => {
	const { download, reported, folder } = await publish(t);
	const whole = await download();
	assert.equal(whole, join(folder, "tiny"));
	assert.match((await readModelForm(whole)).id, /^tiny /);
	assert.deepEqual(reported.toSorted(), reported);
	assert.ok((reported.at(-1) ?? 0) > 0.9);
	assert.deepEqual(await readdir(folder), ["tiny"]);
});

test("a download that was broken off goes on where it was", async (t) => {
	const { download, publisher, folder } = await publish(t, ({ url }, response, content) => {
		if (url !== `/${LARGEST}`) return void response.end(content);
		response.writeHead(200, { "content-length": content.length });
		response.write(content.subarray(0, 100));
		const written = () => sizeOf(join(folder, "tiny.partial", LARGEST));
		void untilIt(written, (size) => size === 100).then(() => response.socket?.end());
	});
	await assert.rejects(download(), { name: "Failure", message: /cannot be reached/ });
	assert.deepEqual(await readdir(folder), ["tiny.partial"]);
	publisher.answer = sendWell;
	publisher.asked.length = 0;
	await download();
	assert.equal(publisher.asked[0], `${LARGEST} bytes=100-`);
});

test("a whole file with another content, which a killed download has left, is fetched again", async (t) => {
	const { download, folder } = await publish(t);
	await mkdir(join(folder, "tiny.partial"));
	const { content } = FILES.find(({ path }) => path === LARGEST) ?? { content: Buffer.alloc(0) };
	await writeFile(join(folder, "tiny.partial", LARGEST), Buffer.alloc(content.length));
	assert.match((await readModelForm(await download())).id, /^tiny /);
});

const refused: readonly (readonly [string, Answer, RegExp])[] = [
	[
		"a page of a captive portal",
		(_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>Sign in</p>"),
		/web page came.*by hand/,
	],
	["another file", (_, response, content) => response.end(Buffer.alloc(content.length)), /checksum differs/],
	["an endless file", (_, response) => endless(response), /larger than/],
	["an error", (_, response) => response.writeHead(503).end(), /answered 503/],
];
for (const [what, answer, expected] of refused)
	test(`${what} is no model, and one sentence says what to do`, async (t) => {
		const { download, publisher, folder } = await publish(t, answer);
		await assert.rejects(download(), { name: "Failure", message: expected });
		assert.ok(!(await readdir(folder)).includes("tiny"));
		publisher.answer = sendWell;
		await download();
	});

function endless(response: ServerResponse): void {
	response.on("error", () => undefined);
	const more = () => void (response.destroyed || response.write(Buffer.alloc(65_536), more));
	more();
}

test("without network the sentence names the address", async (t) => {
	const { download, server, model } = await publish(t);
	server.close();
	await assert.rejects(download(), (thrown: Error) => thrown.message.includes(model.address));
});

test("a download that is cancelled leaves what it has, and no model", async (t) => {
	const stop = new AbortController();
	const { download, folder } = await publish(t, (_, response, content) => {
		response.writeHead(200, { "content-length": content.length });
		response.write(content.subarray(0, 1), () => stop.abort());
	});
	await assert.rejects(download(stop.signal), { name: "AbortError" });
	assert.deepEqual(await readdir(folder), ["tiny.partial"]);
});

test("two windows do not download the same model at once", async (t) => {
	const { download, folder } = await publish(t);
	await writeFile(join(folder, "indexer.lock"), JSON.stringify({ id: "x", pid: 1, host: "elsewhere" }));
	await assert.rejects(download(), { code: "BUSY" });
	assert.equal(await createLock(folder).acquire(), false);
});
