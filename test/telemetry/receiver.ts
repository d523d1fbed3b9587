import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { portOf } from "../support/listening.ts";

interface Described {
	readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

type TextField = "traceId" | "spanId" | "parentSpanId" | "name" | "startTimeUnixNano" | "endTimeUnixNano";
type ReceivedSpan = Described & Readonly<Record<TextField, string>>;
type ReceivedPoint = Described & { readonly count: number; readonly sum: number };

interface Metric {
	readonly name: string;
	readonly unit: string;
	readonly histogram: { readonly dataPoints: readonly ReceivedPoint[] };
}

interface Body {
	readonly resourceSpans?: readonly { readonly scopeSpans: readonly { readonly spans: ReceivedSpan[] }[] }[];
	readonly resourceMetrics?: readonly { readonly scopeMetrics: readonly { readonly metrics: Metric[] }[] }[];
}

export function attributesOf({ attributes }: Described): Record<string, unknown> {
	return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** Starts a collector of OTLP in JSON. */
export async function openReceiver(t: TestContext) {
	const spans: ReceivedSpan[] = [];
	const paths: (string | undefined)[] = [];
	const keys: unknown[] = [];
	const metrics: Metric[][] = [];
	const answer = { status: 200, after: Promise.resolve() };
	const server = createServer(async (request, response) => {
		keys.push(request.headers["x-key"]);
		const { resourceSpans = [], resourceMetrics } = (await json(request)) as Body;
		if (resourceMetrics) {
			metrics.push(resourceMetrics.flatMap((one) => one.scopeMetrics.flatMap((scope) => scope.metrics)));
			response.writeHead(200).end("{}");
			return;
		}
		paths.push(request.url);
		const received = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
		if (answer.status === 200) spans.push(...received);
		await answer.after;
		response.writeHead(answer.status, { "content-type": "application/json" }).end("{}");
	});
	return {
		url: `http://127.0.0.1:${await portOf(t, server)}`,
		spans,
		metrics,
		paths,
		/** The header `x-key` of each request. */
		keys,
		/** Status of the next answers, and what they wait for. */
		answer,
	};
}
