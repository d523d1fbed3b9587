import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { portOf } from "../support/listening.ts";

interface ReceivedSpan {
	readonly traceId: string;
	readonly spanId: string;
	readonly parentSpanId?: string;
	readonly name: string;
	readonly startTimeUnixNano: string;
	readonly endTimeUnixNano: string;
	readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

interface Metric {
	readonly name: string;
	readonly unit: string;
	readonly histogram: {
		readonly dataPoints: readonly (ReceivedPoint & { readonly count: number; readonly sum: number })[];
	};
}

type ReceivedPoint = Pick<ReceivedSpan, "attributes">;

interface MetricsBody {
	readonly resourceMetrics: readonly {
		readonly scopeMetrics: readonly { readonly metrics: readonly Metric[] }[];
	}[];
}

interface Body {
	readonly resourceSpans: readonly {
		readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[];
	}[];
}

function spansIn({ resourceSpans }: Body): ReceivedSpan[] {
	return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

export function attributesOf({ attributes }: ReceivedPoint): Record<string, unknown> {
	return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** A collector that takes OTLP as JSON, and answers with the status of the moment. */
export async function openReceiver(t: TestContext) {
	const spans: ReceivedSpan[] = [];
	const paths: (string | undefined)[] = [];
	const keys: unknown[] = [];
	const metrics: Metric[][] = [];
	let answer = 200;
	let held: Promise<void> | undefined;
	const server = createServer(async (request, response) => {
		keys.push(request.headers["x-key"]);
		if (request.url?.endsWith("/v1/metrics")) {
			const { resourceMetrics } = (await json(request)) as MetricsBody;
			metrics.push(resourceMetrics.flatMap((one) => one.scopeMetrics.flatMap((scope) => scope.metrics)));
			response.writeHead(200).end("{}");
			return;
		}
		paths.push(request.url);
		const body = (await json(request)) as Body;
		if (answer === 200) spans.push(...spansIn(body));
		await held;
		response.writeHead(answer, { "content-type": "application/json" }).end("{}");
	});
	const port = await portOf(t, server);
	return {
		url: `http://127.0.0.1:${port}`,
		spans,
		/** Of each request for metrics. */
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
