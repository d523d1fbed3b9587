import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { type TestContext, test } from "node:test";
import { createMessageConnection } from "vscode-jsonrpc/node";
import { Failure } from "../../src/base/failure.ts";
import { createPortsClient } from "../../src/protocol/portsClient.ts";
import { toResponse } from "../../src/protocol/worker.ts";

function linkedPipes(t: TestContext) {
	const [there, back] = [new PassThrough(), new PassThrough()];
	const near = createMessageConnection(back, there);
	const far = createMessageConnection(there, back);
	near.onClose(() => near.dispose());
	for (const end of [near, far]) {
		end.listen();
		t.after(() => end.dispose());
	}
	return { knowledge: createPortsClient(near).knowledge, near, far };
}

const never = new AbortController().signal;

test("a bug in the worker is not reported as a Failure", async (t) => {
	const { knowledge, far } = linkedPipes(t);
	far.onRequest("copilot-ld/knowledge/search", () => {
		throw toResponse(new TypeError("x is not a function"), never);
	});
	await assert.rejects(
		knowledge.search({ query: "x", channel: "chat" }, never),
		(thrown) => !(thrown instanceof Failure) && /x is not a function/.test(String(thrown)),
	);
});

test("closing the pipe rejects the open request and the next request", async (t) => {
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
