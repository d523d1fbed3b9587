import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { BatchSpanProcessor, type SpanExporter } from "@opentelemetry/sdk-trace";
import { Failure, messageOf } from "../base/failure.ts";
import { coalesce } from "../base/jobs/coalesce.ts";
import { createRedactor, type KnownSecrets } from "../base/text/redact.ts";
import type { TurnTrace } from "../core/session/trace.ts";
import { createModelMetrics } from "./metrics.ts";
import { type SpanChoice, senderOf, toSpans } from "./otlpSpans.ts";

export interface TelemetryDeps {
	readonly delayMs?: number;
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
			const spans = traces.flatMap((trace) => toSpans(trace, sender, chosen));
			return new TextDecoder().decode(JsonTraceSerializer.serializeRequest(spans));
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
const DELAY_MS = 1000;
const TIMEOUT_MS = 10_000;

function createTraceSender(url: string, deps: TelemetryDeps) {
	const { version, delayMs = DELAY_MS, timeoutMs = TIMEOUT_MS, warn } = deps;
	const sender = senderOf(version);
	const exporter = withOwnHeaders(url, () => new OTLPTraceExporter({ url, timeoutMillis: timeoutMs }));
	let isClosed = false;
	const metrics = createModelMetrics(sender);
	// A failed request is ignored: metrics are cumulative, so the next request repeats them.
	const push = coalesce(() =>
		post(url.replace(TRACES, "/v1/metrics"), metrics.toJson(), timeoutMs).catch(() => undefined),
	);
	let pushed: Promise<void> | undefined;
	const processor = new BatchSpanProcessor({
		exporter: telling(exporter, warn, () => isClosed),
		maxQueueSize: MOST_SPANS,
		maxExportBatchSize: MOST_SPANS / 4,
		scheduledDelayMillis: delayMs,
		exportTimeoutMillis: timeoutMs * 2,
	});
	return {
		send: (trace: TurnTrace, choice: SpanChoice) => {
			for (const span of toSpans(trace, sender, choice)) processor.onEnd(span);
			if (metrics.note(trace, choice)) pushed = push();
		},
		flush: async () => {
			await Promise.all([processor.forceFlush(), pushed]);
			// The processor does not wait for exports that are already in progress.
			await exporter.forceFlush();
		},
		/** Discards spans that were not sent. */
		close: () => {
			isClosed = true;
			processor.shutdown().catch(() => undefined);
		},
	};
}

const HEADERS = ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"];

/**
 * The exporter's constructor takes headers, which may contain a key, from environment variables.
 * Hides these variables from it unless `isOwn` says that they are meant for this address.
 */
function withOwnHeaders<Exporter>(url: string, create: () => Exporter): Exporter {
	const { env } = process;
	if (isOwn(url)) return create();
	const hidden = HEADERS.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]] as const]));
	for (const [name] of hidden) delete env[name];
	try {
		return create();
	} finally {
		for (const [name, value] of hidden) env[name] = value;
	}
}

function isOwn(url: string): boolean {
	const { env } = process;
	const named = env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] || env["OTEL_EXPORTER_OTLP_ENDPOINT"];
	return URL.parse(named ?? "http://localhost:4318")?.origin === new URL(url).origin;
}

const TRACES = /\/v1\/traces(?=$|\?)/;

/** Sends metrics. Ignores the status of the response, because a collector may accept only traces. */
async function post(url: string, body: string, timeoutMs: number): Promise<void> {
	const own = isOwn(url) ? (process.env["OTEL_EXPORTER_OTLP_HEADERS"] ?? "") : "";
	const pairs = own.split(",").flatMap((pair) => {
		const [, name, value = ""] = /^\s*([^=\s]+)\s*=(.*)$/.exec(pair) ?? [];
		return name === undefined ? [] : [[name, decodeURIComponent(value.trim())] as const];
	});
	const headers = { ...Object.fromEntries(pairs), "content-type": "application/json" };
	const signal = AbortSignal.timeout(timeoutMs);
	await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
}

/** Wraps an exporter: warns once per outage, and discards unsent spans, so that memory does not fill. */
function telling(exporter: OTLPTraceExporter, warn: TelemetryDeps["warn"], isClosed: () => boolean) {
	let isDown = false;
	const heard = (error: Error | undefined) => {
		if (error && !isDown && !isClosed())
			warn(`Traces do not reach copilot-LD.telemetry.otlp.endpoint and are discarded: ${messageOf(error)}`);
		isDown = error !== undefined;
	};
	return {
		export: (spans, done) => {
			if (isClosed()) return done({ code: SUCCESS });
			exporter.export(spans, ({ code, error }) => {
				heard(code === SUCCESS ? undefined : (error ?? new Error("the endpoint refused them")));
				done({ code: SUCCESS });
			});
		},
		shutdown: () => exporter.shutdown(),
	} satisfies SpanExporter;
}

/** The value of `ExportResultCode.SUCCESS`. */
const SUCCESS = 0;

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
