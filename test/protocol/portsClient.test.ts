import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { type CancellationToken, createMessageConnection } from "vscode-jsonrpc/node";
import { Failure } from "../../src/base/failure.ts";
import type { IndexProgress } from "../../src/core/knowledge/knowledge.ts";
import type { CallParams } from "../../src/protocol/ports.ts";
import { createPortsClient, progressOfCall, signalOf } from "../../src/protocol/portsClient.ts";
import { toResponse } from "../../src/protocol/worker.ts";

function linkedPipes(t: { after: (end: () => void) => void }) {
	const there = new PassThrough();
	const back = new PassThrough();
	const near = createMessageConnection(back, there);
	const far = createMessageConnection(there, back);
	near.onClose(() => near.dispose());
	for (const end of [near, far]) end.listen();
	t.after(() => far.dispose());
	t.after(() => near.dispose());
	return { knowledge: createPortsClient(near).knowledge, near, far };
}

const never = new AbortController().signal;

test("progress arrives while the index is being built, and only of its own run", async (t) => {
	const { knowledge, far } = linkedPipes(t);
	const report = { indexed: 1, unchanged: 0, removed: 0, skipped: 0, failed: 0, passages: 3, durationMs: 5 };
	far.onRequest("copilot-ld/knowledge/index", async ({ args, progress = 0 }: CallParams) => {
		assert.deepEqual(args, [{ rebuild: true }, null]);
		await far.sendProgress(progressOfCall, progress, { done: 1, total: 2, current: "a.md" });
		await far.sendProgress(progressOfCall, progress + 1, { done: 9, total: 9, current: "other" });
		return report;
	});
	const seen: IndexProgress[] = [];
	assert.deepEqual(
		await knowledge.index({ rebuild: true }, (progress) => seen.push(progress), never),
		report,
	);
	assert.deepEqual(seen, [{ done: 1, total: 2, current: "a.md" }]);
});

test("a failure keeps its code and its words", async (t) => {
	const { knowledge, far } = linkedPipes(t);
	far.onRequest("copilot-ld/knowledge/search", () => {
		throw toResponse(new Failure("BUSY", "Wait a little."), never);
	});
	await assert.rejects(knowledge.search({ query: "x", door: "chat" }, never), {
		name: "Failure",
		code: "BUSY",
		message: "Wait a little.",
	});
});

test("a bug of the worker is no failure", async (t) => {
	const { knowledge, far } = linkedPipes(t);
	far.onRequest("copilot-ld/knowledge/search", () => {
		throw toResponse(new TypeError("x is not a function"), never);
	});
	await assert.rejects(
		knowledge.search({ query: "x", door: "chat" }, never),
		(thrown) => !(thrown instanceof Failure) && /x is not a function/.test(String(thrown)),
	);
});

test("an aborted signal cancels the request and rejects with its reason", async (t) => {
	const { knowledge, far } = linkedPipes(t);
	const cancelled = Promise.withResolvers<void>();
	const started = Promise.withResolvers<void>();
	far.onRequest("copilot-ld/knowledge/read", (_call: CallParams, token: CancellationToken) => {
		const { signal } = signalOf(token);
		signal.addEventListener("abort", () => cancelled.resolve());
		started.resolve();
		return new Promise<never>(() => undefined);
	});
	const controller = new AbortController();
	const reason = new Error("The person pressed stop.");
	const answer = knowledge.read({ target: "x", door: "chat" }, controller.signal);
	await started.promise;
	controller.abort(reason);
	await assert.rejects(answer, reason);
	await cancelled.promise;
});

test("a pipe that closes settles the open request and refuses the next", async (t) => {
	const { knowledge, near, far } = linkedPipes(t);
	const started = Promise.withResolvers<void>();
	far.onRequest("copilot-ld/knowledge/status", () => {
		started.resolve();
		return new Promise<never>(() => undefined);
	});
	const answer = knowledge.status(never);
	await started.promise;
	near.dispose();
	await assert.rejects(answer, { code: "WORKER_STOPPED" });
	await assert.rejects(knowledge.status(never), { code: "WORKER_STOPPED" });
});
