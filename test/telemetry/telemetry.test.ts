import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import { runTurn, traced } from "../../src/agent/loop/runTurn.ts";
import { measuredMemory } from "../../src/agent/loop/search.ts";
import { createTurnTracer } from "../../src/agent/loop/turnTracer.ts";
import type { Remembered } from "../../src/core/session/memory.ts";
import type { TurnTrace } from "../../src/core/session/trace.ts";
import { createTelemetry, readOtlpAddress } from "../../src/telemetry/telemetry.ts";
import { assertNone } from "../support/assertNone.ts";
import { portOf } from "../support/listening.ts";
import conventions from "./conventions.json" with { type: "json" };
import { attributesOf, openReceiver, type ReceivedSpan } from "./receiver.ts";

const SECRET = "hunter2-hunter2";
const TOKEN = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
const SESSION = "3f6c1c0e-58a4-4a3e-9d3c-0d7f6d1b1a11";

const ATTRIBUTES = new Set(conventions.attributes);

const unasked = () => assert.fail();
const MEMORY = { remember: unasked, recall: unasked, facts: unasked, edit: unasked, forget: unasked };
const REMEMBERED = { fact: {}, isNew: true, contradicts: [] } as unknown as Remembered;

async function turn(question = `Who keeps ${SECRET}?`): Promise<TurnTrace> {
	const traces: TurnTrace[] = [];
	const tracer = createTurnTracer({
		clock: { elapsed: () => performance.now(), now: () => 1_700_000_000_000 },
		keepsTexts: () => true,
		onEnd: (trace) => traces.push(trace),
	});
	const signal = new AbortController().signal;
	const engine = runTurn(
		({ recorder }) =>
			async function* run() {
				assert.ok(recorder);
				await recorder.measure({ kind: "retrieval", title: question }, signal, async ({ facts, tell }) => {
					tell(() => ({ input: question }));
					facts["hits"] = 3;
				});
				const model = recorder.begin({ kind: "model", title: "2 messages" });
				const server = { provider: "openai-compatible", address: "127.0.0.1", port: 11434 };
				Object.assign(model.facts, { model: "qwen3", ...server, finishReason: "stop" });
				model.end("done");
				yield { kind: "usage", inputTokens: 120, outputTokens: 7, isEstimate: true };
				const memory = measuredMemory({ ...MEMORY, remember: async () => REMEMBERED }, recorder);
				await memory.remember({ text: SECRET, scope: "user", source: { by: "person" } }, signal);
				const counted = recorder.begin({ kind: "model", title: "1 message" });
				Object.assign(counted.facts, { model: "phi4", error: "rateLimited" });
				counted.end("failed");
				yield { kind: "usage", inputTokens: 30, outputTokens: 5 };
				await recorder.measure({ kind: "tool", title: "copilot-ld_remember" }, signal, ({ tell }) => {
					tell(() => ({ input: JSON.stringify({ password: SECRET, note: TOKEN }) }));
					return tracer.call({ title: "copilot-ld_remember", input: {} }, signal, async () => {
						const decision = { kind: "permission", tool: "remember", title: "", effect: "allow", by: "rule" };
						tracer.decided(decision as Parameters<typeof tracer.decided>[0], 0);
						return { text: "kept" };
					});
				});
				yield { kind: "text", text: `Ida Fenwick keeps ${SECRET}.` };
			},
		[traced("chat", tracer)],
	);
	for await (const _ of engine({ question, session: SESSION, history: [], attachments: [] }, signal));
	const [only] = traces;
	assert.ok(only);
	return only;
}

interface Settings {
	endpoint: string;
	contents: boolean;
}

function telemetryOn(settings: Settings, warnings: string[] = [], timeoutMs = 500) {
	return createTelemetry({
		version: "0.0.1",
		endpoint: () => settings.endpoint,
		contents: () => settings.contents,
		known: async () => ({ values: [SECRET], homes: [], names: [] }),
		warn: (words) => warnings.push(words),
		...{ delayMs: 1, timeoutMs },
	});
}

const named = (spans: readonly ReceivedSpan[], name: string) => {
	const found = spans.find((span) => span.name === name);
	assert.ok(found, `${name} is not among ${spans.map((span) => span.name)}`);
	return found;
};

test("a turn arrives at the endpoint as one trace, each span under the one that it happened in", async (t) => {
	const receiver = await openReceiver(t);
	const telemetry = telemetryOn({ endpoint: receiver.url, contents: false });
	const trace = await turn();
	await telemetry.send(trace);
	await telemetry.close();
	assert.deepEqual(new Set(receiver.paths), new Set(["/v1/traces"]));
	assert.deepEqual(new Set(receiver.spans.map(({ traceId }) => traceId)), new Set([trace.traceId]));
	const root = named(receiver.spans, "invoke_agent copilot-ld");
	const tool = named(receiver.spans, "execute_tool copilot-ld_remember");
	assert.equal(root.spanId, trace.spanId);
	assert.ok(!root.parentSpanId);
	for (const name of ["retrieval", "chat qwen3", tool.name])
		assert.equal(named(receiver.spans, name).parentSpanId, root.spanId, name);
	assert.equal(named(receiver.spans, "permission remember").parentSpanId, tool.spanId);
	assert.equal(attributesOf(root)["gen_ai.conversation.id"], SESSION);
	const chat = attributesOf(named(receiver.spans, "chat qwen3"));
	assert.deepEqual(
		["gen_ai.operation.name", "gen_ai.request.model", "gen_ai.usage.input_tokens"].map((key) => chat[key]),
		["chat", "qwen3", 120],
	);
	const { "server.address": address, "server.port": port } = chat;
	assert.deepEqual([address, port, chat["copilot_ld.usage.is_estimate"]], ["127.0.0.1", 11434, true]);
	assert.ok("gen_ai.response.finish_reasons" in chat);
	assert.equal(attributesOf(named(receiver.spans, "chat phi4"))["error.type"], "rateLimited");
	assert.ok(BigInt(root.endTimeUnixNano) >= BigInt(root.startTimeUnixNano));
	assert.equal(root.startTimeUnixNano.slice(0, 10), "1700000000");
});

test("headers of the environment, which may hold a key, go only where the environment says", async (t) => {
	const receiver = await openReceiver(t);
	const variables = ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_ENDPOINT"] as const;
	t.after(() => {
		for (const name of variables) delete process.env[name];
	});
	process.env[variables[0]] = `x-key=${SECRET}`;
	for (const [named, key] of [
		[undefined, undefined],
		["https://collector.example", undefined],
		[receiver.url.replace("127.0.0.1", "localhost"), undefined],
		[receiver.url, SECRET],
	] as const) {
		if (named !== undefined) process.env[variables[1]] = named;
		const telemetry = telemetryOn({ endpoint: receiver.url, contents: false });
		await telemetry.send(await turn());
		await telemetry.close();
		assert.deepEqual(receiver.keys.splice(0), [key, key], named);
		assert.equal(process.env[variables[0]], `x-key=${SECRET}`);
	}
});

test("contents that the person wants go along, without what is or looks secret", async (t) => {
	const receiver = await openReceiver(t);
	const telemetry = telemetryOn({ endpoint: receiver.url, contents: true });
	await telemetry.send(await turn());
	await telemetry.close();
	const root = attributesOf(named(receiver.spans, "invoke_agent copilot-ld"));
	assert.match(String(root["gen_ai.input.messages"]), /"role":"user".*Who keeps ‹redacted›\?/);
	assert.match(String(root["gen_ai.output.messages"]), /Ida Fenwick keeps ‹redacted›/);
	const tool = attributesOf(named(receiver.spans, "execute_tool copilot-ld_remember"));
	assert.deepEqual(JSON.parse(String(tool["gen_ai.tool.call.arguments"])), {
		password: "‹redacted›",
		note: "‹redacted›",
	});
	assert.ok(![SECRET, TOKEN].some((secret) => JSON.stringify(receiver.spans).includes(secret)));
});

test("names of attributes, operations and metrics are those of the conventions, or ours", async (t) => {
	const receiver = await openReceiver(t);
	const telemetry = telemetryOn({ endpoint: receiver.url, contents: true });
	for (const trace of [await turn(), await turn()]) await telemetry.send(trace);
	await telemetry.close();
	const names = new Set(receiver.spans.flatMap(({ attributes }) => attributes.map(({ key }) => key)));
	const metrics = receiver.metrics.at(-1) ?? [];
	const points = metrics.flatMap(({ histogram }) => histogram.dataPoints);
	for (const { key } of points.flatMap((point) => point.attributes)) names.add(key);
	assertNone([...names].filter((name) => !name.startsWith("copilot_ld.") && !ATTRIBUTES.has(name)));
	const operations = new Set(
		receiver.spans.flatMap((span) => attributesOf(span)["gen_ai.operation.name"] ?? []),
	);
	assertNone([...operations].filter((name) => !conventions.operations.includes(String(name))));
	assert.ok(operations.has("create_memory"));
	assert.deepEqual(Object.fromEntries(metrics.map(({ name, unit }) => [name, unit])), conventions.metrics);
	const told = points.map((point) => {
		const {
			"gen_ai.request.model": model,
			"gen_ai.token.type": type,
			"error.type": error,
		} = attributesOf(point);
		return [model, type, error, point.count, type && point.sum];
	});
	assert.deepEqual(told, [
		["qwen3", undefined, undefined, 2, undefined],
		["phi4", undefined, "rateLimited", 2, undefined],
		["phi4", "input", "rateLimited", 2, 60],
		["phi4", "output", "rateLimited", 2, 10],
	]);
});

test("an endpoint that is down is told of once, and again once it was up in between", async (t) => {
	const receiver = await openReceiver(t);
	const warnings: string[] = [];
	const telemetry = telemetryOn({ endpoint: receiver.url, contents: false }, warnings);
	const trace = await turn();
	const sendAs = async (status: number) => {
		receiver.answerWith(status);
		const before = receiver.paths.length;
		await telemetry.send(trace);
		await receiver.requests(before + 1);
		await telemetry.flush();
	};
	await sendAs(400);
	await sendAs(400);
	assert.equal(warnings.length, 1);
	assert.match(warnings[0] ?? "", /otlp\.endpoint/);
	await sendAs(200);
	await sendAs(400);
	assert.equal(warnings.length, 2);
	await telemetry.close();
});

test("nobody waits for an endpoint that never answers", async (t) => {
	const port = await portOf(t, createServer());
	const trace = await turn();
	const warnings: string[] = [];
	const settings = { endpoint: `http://127.0.0.1:${port}`, contents: true };
	const telemetry = telemetryOn(settings, warnings);
	await telemetry.send(trace);
	await telemetry.close();
	assert.equal(warnings.length, 1);
});

test("what waits for an endpoint is bounded: the rest is given up", async (t) => {
	const receiver = await openReceiver(t);
	const release = receiver.hold();
	const telemetry = telemetryOn({ endpoint: receiver.url, contents: true }, [], 60_000);
	const trace = await turn();
	for (let count = 0; count < 1000; count++) await telemetry.send(trace);
	release();
	await telemetry.close();
	const most = 1024 + 256;
	assert.ok(receiver.spans.length > 0 && receiver.spans.length <= most, `${receiver.spans.length} arrived`);
});

test("it is switched on and off while it runs: what waits for an endpoint that is gone is not sent", async (t) => {
	const receiver = await openReceiver(t);
	const other = await openReceiver(t);
	const settings = { endpoint: "", contents: false };
	const telemetry = telemetryOn(settings);
	const trace = await turn();
	await telemetry.send(trace);
	settings.endpoint = receiver.url;
	telemetry.settingsChanged();
	await telemetry.send(trace);
	await telemetry.flush();
	assert.equal(receiver.spans.length, trace.spans.length + 1);
	const sent = receiver.spans.length;
	await telemetry.send(trace);
	settings.endpoint = other.url;
	telemetry.settingsChanged();
	await telemetry.send(trace);
	await telemetry.flush();
	settings.endpoint = "";
	telemetry.settingsChanged();
	await telemetry.send(trace);
	await telemetry.close();
	assert.deepEqual([receiver.spans.length, other.spans.length], [sent, trace.spans.length + 1]);
});

test("an address that is none is told of once and sends nothing", async () => {
	const warnings: string[] = [];
	const telemetry = telemetryOn(
		{ endpoint: "http://anna:secret@collector.example", contents: false },
		warnings,
	);
	const trace = await turn();
	await telemetry.send(trace);
	await telemetry.send(trace);
	assert.equal(warnings.length, 1);
	assert.ok(!warnings[0]?.includes("secret@"));
});

test("a base address and the address of the endpoint itself are both understood", () => {
	const urls = ["http://localhost:4318", "http://localhost:4318/", " http://localhost:4318/v1/traces "];
	assert.deepEqual(new Set(urls.map(readOtlpAddress)), new Set(["http://localhost:4318/v1/traces"]));
	assert.equal(readOtlpAddress("https://c.example/otlp?team=a"), "https://c.example/otlp/v1/traces?team=a");
	for (const wrong of ["localhost:4318", "file:///tmp/x", "", "http://a:b@c.example"])
		assert.throws(() => readOtlpAddress(wrong), /otlp\.endpoint/, wrong);
});
