import { ValueType } from "@opentelemetry/api";
import { JsonMetricsSerializer } from "@opentelemetry/otlp-transformer";
import { MeterProvider, MetricReader } from "@opentelemetry/sdk-metrics";
import type { Span, TurnTrace } from "../core/session/trace.ts";
import { modelAttributes, NAME, type Sender, type SpanChoice } from "./otlpSpans.ts";

/** Collects metrics only when asked. */
class OnRequest extends MetricReader {
	protected override onForceFlush = async () => undefined;
	protected override onShutdown = async () => undefined;
}

/** Histograms of the durations and tokens of model requests, as OpenTelemetry's conventions define them. */
export function createModelMetrics({ resource, version }: Sender) {
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
