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

/** Starts a collector of OTLP in JSON that answers with a settable status. */
export async function openReceiver(t: TestContext) {
	const spans: ReceivedSpan[] = [];
	const paths: (string | undefined)[] = [];
	const keys: unknown[] = [];
	const metrics: Metric[][] = [];
	let answer = 200;
	let held: Promise<void> | undefined;
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
		if (answer === 200) spans.push(...received);
		await held;
		response.writeHead(answer, { "content-type": "application/json" }).end("{}");
	});
	const port = await portOf(t, server);
	return {
		url: `http://127.0.0.1:${port}`,
		spans,
		/** Metrics of each request. */
		metrics,
		paths,
		/** The header `x-key` of each request. */
		keys,
		answerWith: (status: number) => {
			answer = status;
		},
		hold: () => {
			const { promise, resolve } = Promise.withResolvers<void>();
			held = promise;
			return resolve;
		},
	};
}
