import { Failure, messageOf } from "../base/failure.ts";
import { networkReasonOf } from "../base/http/endpointWords.ts";
import { createPersistently, Passing, type Patience, retryAfterOf } from "../base/http/persistent.ts";
import { coalesce } from "../base/jobs/coalesce.ts";
import { createRedactor, type KnownSecrets } from "../base/text/redact.ts";
import type { TurnTrace } from "../core/session/trace.ts";
import { createModelMetrics } from "./metrics.ts";
import { type OtlpSpan, otlpRequest, type SpanChoice, toSpans } from "./otlpSpans.ts";

export interface TelemetryDeps {
	readonly version: string;
	/** For one request, with the times that it is sent again. */
	readonly timeoutMs?: number;
	/** The address as the user wrote it; empty if nothing is sent. */
	endpoint(): string;
	contents(): boolean;
	known(): Promise<KnownSecrets>;
	warn(words: string): void;
}

/** Where traces go: to the endpoint of the moment, and into a text. */
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
	const choice = async () => ({
		redact: createRedactor(await deps.known()),
		contents: deps.contents(),
	});
	return {
		/** Spans that wait for a former endpoint are not sent. */
		settingsChanged,
		/** Nobody waits for it, and it never rejects. */
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
			const spans = traces.flatMap((trace) => toSpans(trace, chosen));
			return otlpRequest(deps.version, "Spans", spans);
		},
		flush,
		/** The same, and ends. */
		close: async () => {
			await flush();
			current?.sender?.close();
		},
	};
}

/** Warns once about an invalid address. */
function openSender(deps: TelemetryDeps, endpoint: string): TraceSender | undefined {
	try {
		return createTraceSender(readOtlpAddress(endpoint), deps);
	} catch (thrown) {
		deps.warn(messageOf(thrown));
		return undefined;
	}
}

/** The setting may name the endpoint itself, or the base address that OTLP's own variables give. */
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

type TraceSender = ReturnType<typeof createTraceSender>;

/** Maximum number of spans that wait while the endpoint is down or busy; further spans are lost. */
const MOST_SPANS = 1024;
const TIMEOUT_MS = 10_000;

/** `url` is that of traces; metrics go beside it. */
function createTraceSender(url: string, { version, timeoutMs = TIMEOUT_MS, warn }: TelemetryDeps) {
	const metrics = createModelMetrics();
	const waiting: OtlpSpan[] = [];
	let [isClosed, isDown] = [false, false];
	/** Warns once about an endpoint that is down, and discards its spans, so that they do not fill the memory. */
	const sendSpans = async () => {
		try {
			await post(url, otlpRequest(version, "Spans", waiting.splice(0)), timeoutMs);
			isDown = false;
		} catch (thrown) {
			if (!isDown && !isClosed)
				warn(
					`Traces do not reach copilot-LD.telemetry.otlp.endpoint and are discarded: ${networkReasonOf(thrown)}`,
				);
			isDown = true;
		}
	};
	/** A collector that takes only traces refuses them. What did not arrive is in the next request, too. */
	const sendMetrics = async () => {
		const body = otlpRequest(version, "Metrics", metrics.toOtlp());
		await post(url.replace(TRACES, "/v1/metrics"), body, timeoutMs).catch(() => undefined);
	};
	const push = coalesce(async () => {
		await new Promise((resolve) => setImmediate(resolve));
		if (!isClosed) await Promise.all([sendSpans(), metrics.toOtlp().length > 0 && sendMetrics()]);
	});
	let pushed: Promise<void> | undefined;
	return {
		send: (trace: TurnTrace, choice: SpanChoice) => {
			waiting.push(...toSpans(trace, choice).slice(0, MOST_SPANS - waiting.length));
			metrics.note(trace, choice);
			pushed = push();
		},
		flush: async () => pushed,
		/** What was not sent stays unsent. */
		close: () => {
			isClosed = true;
		},
	};
}

const TRACES = /\/v1\/traces(?=$|\?)/;
const PATIENCE: Patience = { tries: 4, firstWaitMs: 1000, longestWaitMs: 5000 };
/** Statuses after which OTLP lets a request be sent again. */
const PASSING = [429, 502, 503, 504];

async function post(url: string, body: string, timeoutMs: number): Promise<void> {
	const signal = AbortSignal.timeout(timeoutMs);
	const headers = { ...ownHeaders(url), "content-type": "application/json" };
	const send = async () => {
		const request = fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
		const response = await request.catch((thrown: unknown) => {
			throw signal.aborted ? thrown : new Passing(thrown);
		});
		await response.body?.cancel();
		if (response.ok) return;
		const failure = new Error(`it answered ${response.status}`);
		throw PASSING.includes(response.status) ? new Passing(failure, retryAfterOf(response.headers)) : failure;
	};
	await createPersistently(PATIENCE)(send, signal);
}

/**
 * Headers of the environment, which may hold a key: only for the address that the environment names beside them, or OTLP's
 * default.
 */
function ownHeaders(url: string): Readonly<Record<string, string>> {
	const { env } = process;
	const named = env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] || env["OTEL_EXPORTER_OTLP_ENDPOINT"];
	if (URL.parse(named ?? "http://localhost:4318")?.origin !== new URL(url).origin) return {};
	const signal = TRACES.test(url) ? "TRACES" : "METRICS";
	const written = [env["OTEL_EXPORTER_OTLP_HEADERS"], env[`OTEL_EXPORTER_OTLP_${signal}_HEADERS`]];
	const pairs = written
		.join()
		.split(",")
		.flatMap((pair) => {
			const [, name, value = ""] = /^\s*([^=\s]+)\s*=(.*)$/.exec(pair) ?? [];
			return name === undefined ? [] : [[name, decodeURIComponent(value.trim())] as const];
		});
	return Object.fromEntries(pairs);
}
