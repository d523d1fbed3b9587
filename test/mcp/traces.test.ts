import assert from "node:assert/strict";
import { test } from "node:test";
import { json, says, scriptedServer } from "../models/scriptedServer.ts";
import { assertNone } from "../support/assertNone.ts";
import { PROMPTS_ENV } from "../support/programs.ts";
import { openReceiver } from "../telemetry/receiver.ts";
import { makeWorkspace } from "../worker/workspace.ts";
import { startMcp } from "./mcpProgram.ts";

test("a call, its turn, and the worker's work form one trace at the collector", async (t) => {
	const [receiver, server] = [await openReceiver(t), await scriptedServer(t)];
	server.pages.set("/v1/models", json({ data: [{ id: "tiny" }] }));
	server.play(says("At dusk [lighthouses.md:3]."));
	const workspace = await makeWorkspace(t, { "lighthouses.md": "# Lamps\n\nThe lamp is lit at dusk.\n" });
	const model = ["--model-endpoint", server.origin, "--model", "tiny", "--otlp-endpoint", receiver.url];
	const { call, close } = await startMcp(t, { ...workspace, env: PROMPTS_ENV }, ...model);
	await call("ask", { question: "When is the lamp lit?" });
	await close();
	const { spans, metrics } = receiver;
	const names = spans.map(({ name }) => name);
	const wanted = ["execute_tool ask", "invoke_agent copilot-ld", "retrieval", "chat tiny", "search by words"];
	assertNone(wanted.filter((name) => !names.includes(name)));
	assert.equal(new Set(spans.map(({ traceId }) => traceId)).size, 1);
	const ids = new Set(spans.map(({ spanId }) => spanId));
	const [root, ...others] = spans.filter(({ parentSpanId = "" }) => !ids.has(parentSpanId));
	assert.deepEqual([root?.name, others], ["execute_tool ask", []]);
	assert.doesNotMatch(JSON.stringify(spans), /dusk|lamp/);
	assert.equal(metrics.at(-1)?.[0]?.name, "gen_ai.client.operation.duration");
});
