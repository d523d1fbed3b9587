import { ValueType } from "@opentelemetry/api";
import { JsonMetricsSerializer, JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { MeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";
import { Failure, messageOf } from "../base/failure.ts";
import { networkReasonOf } from "../base/http/endpointWords.ts";
import { coalesce } from "../base/jobs/coalesce.ts";
import { decodedPart } from "../base/rdf/vocabulary.ts";
import { createRedactor, type KnownSecrets } from "../base/text/redact.ts";
import type { Span, TurnTrace } from "../core/session/trace.ts";
import {
	modelAttributes,
	NAME,
	type ReadableSpan,
	type Sender,
	type SpanChoice,
	senderOf,
	toSpans,
} from "./otlpSpans.ts";

interface TelemetryDeps {
	readonly timeoutMs?: number;
	readonly version: string;
	/** The address as the user wrote it; empty if nothing is sent. */
	endpoint(): string;
	contents(): boolean;
	known(): Promise<KnownSecrets>;
	warn(words: string): void;
}

export function createTelemetry(deps: TelemetryDeps) {
	let current: { readonly endpoint: string; readonly sender: TraceSender | undefined } | undefined;
	const settingsChanged = () => {
		if (!current || current.endpoint === deps.endpoint()) return;
		current.sender?.close();
		current = undefined;
	};
	const senderNow = () => {
		settingsChanged();
		const endpoint = deps.endpoint();
		if (endpoint !== "") current ??= { endpoint, sender: openSender(deps, endpoint) };
		return current?.sender;
	};
	const flush = async () => current?.sender?.flush();
	const choice = async () => ({ redact: createRedactor(await deps.known()), contents: deps.contents() });
	return {
		/** If the endpoint has changed, discards the spans that were not sent to the previous endpoint. */
		settingsChanged,
		/** Never rejects, so callers need not wait. */
		send: async (trace: TurnTrace) => {
			try {
				const chosen = await choice();
				senderNow()?.send(trace, chosen);
			} catch (thrown) {
				deps.warn(`A trace was not sent: ${messageOf(thrown)}`);
			}
		},
		toJson: async (traces: readonly TurnTrace[]) => {
			const chosen = await choice();
			const sender = senderOf(deps.version);
			return spansToJson(traces.flatMap((trace) => toSpans(trace, sender, chosen)));
		},
		flush,
		close: async () => {
			await flush();
			current?.sender?.close();
		},
	};
}

function openSender(deps: TelemetryDeps, endpoint: string): TraceSender | undefined {
	try {
		return createTraceSender(readOtlpAddress(endpoint), deps);
	} catch (thrown) {
		deps.warn(messageOf(thrown));
		return undefined;
	}
}

type TraceSender = ReturnType<typeof createTraceSender>;

/** Maximum number of queued spans; further spans are lost. */
const MOST_SPANS = 1024;
const TIMEOUT_MS = 10_000;

/** Sends spans and metrics. Warns once per outage, and discards unsent spans, so that memory does not fill. */
function createTraceSender(url: string, { version, timeoutMs = TIMEOUT_MS, warn }: TelemetryDeps) {
	const sender = senderOf(version);
	const metrics = createModelMetrics(sender);
	let queued: ReadableSpan[] = [];
	let isDown = false;
	const pushSpans = async () => {
		const spans = queued;
		queued = [];
		if (spans.length === 0) return;
		const problem = await problemOf(post(url, spansToJson(spans), timeoutMs));
		if (problem !== undefined && !isDown)
			warn(`Traces do not reach copilot-LD.telemetry.otlp.endpoint and are discarded: ${problem}`);
		isDown = problem !== undefined;
	};
	// A failed request or refusal is ignored: metrics are cumulative, and a collector may accept only traces.
	const pushMetrics = async () =>
		post(url.replace(TRACES, "/v1/metrics"), await metrics.toJson(), timeoutMs).catch(() => undefined);
	let hasMetrics = false;
	const push = coalesce(async () => {
		// Lets a change of the settings discard the spans first.
		await new Promise((resume) => setImmediate(resume));
		await Promise.all([pushSpans(), hasMetrics && pushMetrics()]);
	});
	let pushed: Promise<void> | undefined;
	return {
		send: (trace: TurnTrace, choice: SpanChoice) => {
			queued.push(...toSpans(trace, sender, choice).slice(0, MOST_SPANS - queued.length));
			if (metrics.note(trace, choice)) hasMetrics = true;
			pushed = push();
		},
		flush: async () => pushed,
		/** Discards spans that were not sent, without a warning. */
		close: () => {
			queued = [];
			isDown = true;
		},
	};
}

async function problemOf(request: Promise<Response>): Promise<string | undefined> {
	try {
		const { ok } = await request;
		return ok ? undefined : "the endpoint refused them";
	} catch (thrown) {
		return thrown instanceof DOMException ? thrown.message : networkReasonOf(thrown);
	}
}

function spansToJson(spans: ReadableSpan[]): string {
	return new TextDecoder().decode(JsonTraceSerializer.serializeRequest(spans));
}

const HEADERS = ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"];

const TRACES = /\/v1\/traces(?=$|\?)/;

async function post(url: string, body: string, timeoutMs: number) {
	const headers = { ...headersFor(url), "content-type": "application/json" };
	const signal = AbortSignal.timeout(timeoutMs);
	const answer = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
	await answer.body?.cancel();
	return answer;
}

/** Headers of environment variables, which may contain a key, if the variables are meant for this address. */
function headersFor(url: string): Record<string, string> {
	const { env } = process;
	const named = env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] || env["OTEL_EXPORTER_OTLP_ENDPOINT"];
	if (URL.parse(named ?? "http://localhost:4318")?.origin !== new URL(url).origin) return {};
	const pairs = HEADERS.flatMap((name) => [...(env[name] ?? "").matchAll(/([^=,\s]+)\s*=([^,]*)/g)]);
	return Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, decodedPart(value.trim())]));
}

/** Returns the URL for traces. Accepts that URL or its base, as OTLP's variables do. Throws a `Failure`. */
export function readOtlpAddress(text: string): string {
	const url = URL.parse(text.trim());
	if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
		throw new Failure(
			"BAD_INPUT",
			"The setting copilot-LD.telemetry.otlp.endpoint is not an http or https address without an account in it, so no trace is sent. Correct it, for example to http://localhost:4318.",
		);
	url.hash = "";
	const path = url.pathname.replace(/\/+$/, "");
	url.pathname = path.endsWith("/v1/traces") ? path : `${path}/v1/traces`;
	return url.href;
}

/** Collects metrics only when asked. */
class OnRequest extends MetricReader {
	protected override onForceFlush = async () => undefined;
	protected override onShutdown = async () => undefined;
}

/** Histograms of the durations and tokens of model requests, as OpenTelemetry's conventions define them. */
function createModelMetrics({ resource, version }: Sender) {
	const reader = new OnRequest();
	const meter = new MeterProvider({ resource, readers: [reader] }).getMeter(NAME, version);
	const create = (name: string, unit: string, valueType: ValueType, boundOf: (at: number) => number) => {
		const explicitBucketBoundaries = Array.from({ length: 14 }, (_, at) => boundOf(at));
		return meter.createHistogram(name, { unit, valueType, advice: { explicitBucketBoundaries } });
	};
	const duration = create("gen_ai.client.operation.duration", "s", ValueType.DOUBLE, (at) => 2 ** at / 100);
	const tokens = create("gen_ai.client.token.usage", "{token}", ValueType.INT, (at) => 4 ** at);
	return {
		/** Adds a trace's model requests. Returns whether the trace has any. */
		note: ({ spans }: TurnTrace, choice: SpanChoice): boolean => {
			const requests = spans.filter(({ kind }) => kind === "model");
			for (const span of requests) {
				const attributes = modelAttributes(span, choice);
				duration.record(span.durationMs / 1000, attributes);
				for (const [type, count] of tokensOf(span))
					tokens.record(count, { ...attributes, "gen_ai.token.type": type });
			}
			return requests.length > 0;
		},
		toJson: async (): Promise<string> => {
			const { resourceMetrics } = await reader.collect();
			return new TextDecoder().decode(JsonMetricsSerializer.serializeRequest(resourceMetrics));
		},
	};
}

/** Used tokens by type. Estimated tokens do not count as usage. */
function tokensOf({ facts }: Span): (readonly [type: string, count: number])[] {
	if (facts["isEstimate"] === 1) return [];
	const used = Object.entries({ input: facts["inputTokens"], output: facts["outputTokens"] });
	return used.flatMap(([type, count]) => (typeof count === "number" ? [[type, count] as const] : []));
}
