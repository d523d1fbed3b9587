import assert from "node:assert/strict";
import { createServer } from "node:net";
import { type TestContext, test } from "node:test";
import { runTurn, traced } from "../../src/agent/loop/runTurn.ts";
import { measuredMemory } from "../../src/agent/loop/search.ts";
import { createTurnTracer } from "../../src/agent/loop/turnTracer.ts";
import type { Remembered } from "../../src/core/session/memory.ts";
import type { TurnTrace } from "../../src/core/session/trace.ts";
import { createTelemetry, readOtlpAddress } from "../../src/telemetry/telemetry.ts";
import { assertNone } from "../support/assertNone.ts";
import { listed } from "../support/listed.ts";
import { portOf } from "../support/listening.ts";
import conventions from "./conventions.json" with { type: "json" };
import { attributesOf, openReceiver } from "./receiver.ts";

const SECRET = "hunter2-hunter2";
const TOKEN = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
const SESSION = "3f6c1c0e-58a4-4a3e-9d3c-0d7f6d1b1a11";

const unasked = () => assert.fail();
const MEMORY = { remember: unasked, recall: unasked, facts: unasked, edit: unasked, forget: unasked };
const REMEMBERED = { fact: {}, isNew: true, contradicts: [] } as unknown as Remembered;

async function turn(): Promise<TurnTrace> {
	const question = `Who keeps ${SECRET}?`;
	const traces: TurnTrace[] = [];
	const tracer = createTurnTracer({
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
				const limited = recorder.begin({ kind: "model", title: "1 message" });
				Object.assign(limited.facts, { model: "phi4", error: "rateLimited" });
				limited.end("failed");
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

function telemetryOn(
	settings: { readonly endpoint: string; readonly contents?: boolean },
	warnings: string[] = [],
	timeoutMs = 500,
) {
	return createTelemetry({
		version: "0.0.1",
		endpoint: () => settings.endpoint,
		contents: () => settings.contents ?? false,
		known: async () => ({ values: [SECRET], homes: [], names: [] }),
		warn: (words) => warnings.push(words),
		...{ delayMs: 1, timeoutMs },
	});
}

/** Sends two turns and returns what arrives; `trace` is the first turn. */
async function arrived(t: TestContext, settings: { readonly contents: boolean }) {
	const receiver = await openReceiver(t);
	const telemetry = telemetryOn({ endpoint: receiver.url, ...settings });
	const trace = await turn();
	for (const one of [trace, await turn()]) await telemetry.send(one);
	await telemetry.close();
	const named = (name: string) => {
		const found = receiver.spans.find((span) => span.name === name && span.traceId === trace.traceId);
		assert.ok(found, `${name} is not among ${receiver.spans.map((span) => span.name)}`);
		return { ...found, facts: attributesOf(found) };
	};
	return { ...receiver, trace, named };
}

test("a turn arrives at the endpoint as one trace with nested spans", async (t) => {
	t.mock.timers.enable({ apis: ["Date"], now: 1_700_000_000_000 });
	const { spans, paths, trace, named } = await arrived(t, { contents: false });
	assert.deepEqual(new Set(paths), new Set(["/v1/traces"]));
	assert.equal(Map.groupBy(spans, ({ traceId }) => traceId).size, 2);
	assert.equal(spans.length, 2 * (trace.spans.length + 1));
	const root = named("invoke_agent copilot-ld");
	const tool = named("execute_tool copilot-ld_remember");
	assert.deepEqual([root.spanId, root.parentSpanId || ""], [trace.spanId, ""]);
	for (const name of ["retrieval", "chat qwen3", tool.name])
		assert.equal(named(name).parentSpanId, root.spanId, name);
	assert.equal(named("permission remember").parentSpanId, tool.spanId);
	assert.equal(root.facts["gen_ai.conversation.id"], SESSION);
	const { facts } = named("chat qwen3");
	assert.partialDeepStrictEqual(facts, {
		...{ "gen_ai.operation.name": "chat", "gen_ai.request.model": "qwen3", "gen_ai.usage.input_tokens": 120 },
		...{ "server.address": "127.0.0.1", "server.port": 11434, "copilot_ld.usage.is_estimate": true },
	});
	assert.ok("gen_ai.response.finish_reasons" in facts);
	assert.equal(named("chat phi4").facts["error.type"], "rateLimited");
	assert.ok(BigInt(root.endTimeUnixNano) >= BigInt(root.startTimeUnixNano));
	assert.equal(root.startTimeUnixNano.slice(0, 10), "1700000000");
});

test("headers from the environment are sent only to the endpoint that the environment names", async (t) => {
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
		const telemetry = telemetryOn({ endpoint: receiver.url });
		await telemetry.send(await turn());
		await telemetry.close();
		assert.deepEqual(receiver.keys.splice(0), [key, key], named);
		assert.equal(process.env[variables[0]], `x-key=${SECRET}`);
	}
});

test("contents are sent on request with secrets redacted, under names of the conventions or with the prefix copilot_ld", async (t) => {
	const { spans, metrics, named } = await arrived(t, { contents: true });
	const root = named("invoke_agent copilot-ld").facts;
	assert.match(String(root["gen_ai.input.messages"]), /"role":"user".*Who keeps ‹redacted›\?/);
	assert.match(String(root["gen_ai.output.messages"]), /Ida Fenwick keeps ‹redacted›/);
	const given = String(named("execute_tool copilot-ld_remember").facts["gen_ai.tool.call.arguments"]);
	assert.deepEqual(JSON.parse(given), { password: "‹redacted›", note: "‹redacted›" });
	assertNone([SECRET, TOKEN].filter((secret) => JSON.stringify(spans).includes(secret)));
	const last = metrics.at(-1) ?? [];
	assert.deepEqual(Object.fromEntries(last.map(({ name, unit }) => [name, unit])), conventions.metrics);
	const points = last.flatMap(({ histogram }) => histogram.dataPoints);
	const names = [...spans, ...points].flatMap(({ attributes }) => attributes.map(({ key }) => key));
	const known = new Set(conventions.attributes.flatMap(listed));
	assertNone(names.filter((name) => !name.startsWith("copilot_ld.") && !known.has(name)));
	const operations = spans.flatMap((span) => attributesOf(span)["gen_ai.operation.name"] ?? []);
	assertNone(operations.filter((name) => !listed(conventions.operations).includes(String(name))));
	assert.ok(operations.includes("create_memory"));
	const shown = points.map((point) => {
		const facts = attributesOf(point);
		const described = ["gen_ai.request.model", "gen_ai.token.type", "error.type"].map((name) => facts[name]);
		return [...described, point.count, point.sum];
	});
	assert.deepEqual(shown, [
		["qwen3", undefined, undefined, 2, shown[0]?.[4]],
		["phi4", undefined, "rateLimited", 2, shown[1]?.[4]],
		["phi4", "input", "rateLimited", 2, 60],
		["phi4", "output", "rateLimited", 2, 10],
	]);
});

test("a warning appears once while the endpoint is down, and again after the endpoint was up", async (t) => {
	const receiver = await openReceiver(t);
	const warnings: string[] = [];
	const telemetry = telemetryOn({ endpoint: receiver.url }, warnings);
	const trace = await turn();
	for (const [status, count] of [
		[400, 1],
		[400, 1],
		[200, 1],
		[400, 2],
	] as const) {
		receiver.answer.status = status;
		await telemetry.send(trace);
		await telemetry.flush();
		assert.equal(warnings.length, count);
	}
	assert.match(warnings[0] ?? "", /otlp\.endpoint/);
	await telemetry.close();
});

test("spans that wait for the endpoint are limited, and further spans are discarded", async (t) => {
	const receiver = await openReceiver(t);
	const { promise, resolve } = Promise.withResolvers<void>();
	receiver.answer.after = promise;
	const telemetry = telemetryOn({ endpoint: receiver.url, contents: true }, [], 60_000);
	const trace = await turn();
	for (let count = 0; count < 1000; count++) await telemetry.send(trace);
	resolve();
	await telemetry.close();
	const { length } = receiver.spans;
	assert.ok(length > 0 && length <= 1024 + 256, `${length} arrived`);
});

test("telemetry can be switched on and off; spans for a previous endpoint are discarded", async (t) => {
	const [receiver, other] = [await openReceiver(t), await openReceiver(t)];
	const settings = { endpoint: "" };
	const telemetry = telemetryOn(settings);
	const trace = await turn();
	const sendTo = async (endpoint: string) => {
		settings.endpoint = endpoint;
		telemetry.settingsChanged();
		await telemetry.send(trace);
	};
	const whole = trace.spans.length + 1;
	for (const endpoint of ["", receiver.url]) await sendTo(endpoint);
	await telemetry.flush();
	assert.equal(receiver.spans.length, whole);
	for (const endpoint of [receiver.url, other.url]) await sendTo(endpoint);
	await telemetry.flush();
	await sendTo("");
	await telemetry.close();
	assert.deepEqual([receiver.spans.length, other.spans.length], [whole, whole]);
});

test("a silent endpoint and an invalid address are each reported once without blocking", async (t) => {
	const port = await portOf(t, createServer());
	const trace = await turn();
	for (const endpoint of [`http://127.0.0.1:${port}`, "http://anna:secret@collector.example"]) {
		const warnings: string[] = [];
		const telemetry = telemetryOn({ endpoint, contents: true }, warnings);
		for (const one of [trace, trace]) await telemetry.send(one);
		await telemetry.close();
		assert.equal(warnings.length, 1);
		assert.doesNotMatch(warnings[0] ?? "", /secret@/);
	}
});

test("a base address and a whole endpoint address are both accepted", () => {
	const urls = ["http://localhost:4318", "http://localhost:4318/", " http://localhost:4318/v1/traces "];
	assert.deepEqual(new Set(urls.map(readOtlpAddress)), new Set(["http://localhost:4318/v1/traces"]));
	assert.equal(readOtlpAddress("https://c.example/otlp?team=a"), "https://c.example/otlp/v1/traces?team=a");
	for (const wrong of ["localhost:4318", "file:///tmp/x", "", "http://a:b@c.example"])
		assert.throws(() => readOtlpAddress(wrong), /otlp\.endpoint/, wrong);
});
