import { type Attributes, ValueType } from "@opentelemetry/api";
import { JsonMetricsSerializer } from "@opentelemetry/otlp-transformer";
import type { Span, TurnTrace } from "../core/session/trace.ts";
import { hrTime, modelAttributes, NAME, type Sender, type SpanChoice } from "./otlpSpans.ts";

const METRICS = {
	duration: {
		name: "gen_ai.client.operation.duration",
		unit: "s",
		valueType: ValueType.DOUBLE,
		bounds: Array.from({ length: 14 }, (_, at) => 2 ** at / 100),
	},
	tokens: {
		name: "gen_ai.client.token.usage",
		unit: "{token}",
		valueType: ValueType.INT,
		bounds: Array.from({ length: 14 }, (_, at) => 4 ** at),
	},
} as const;

type Metric = keyof typeof METRICS;

interface Series {
	readonly metric: Metric;
	readonly attributes: Attributes;
	readonly counts: number[];
	sum: number;
	min: number;
	max: number;
}

const NOTHING = { sum: 0, min: Number.POSITIVE_INFINITY, max: 0 };

/** Enumeration values of OpenTelemetry's metrics SDK, copied because nothing else needs that package. */
const [HISTOGRAM, CUMULATIVE] = [0, 1];

/** Histograms of the durations and tokens of model requests, as OpenTelemetry's conventions define them. */
export function createModelMetrics({ resource, version }: Sender) {
	const startTime = hrTime(Date.now());
	const known = new Map<string, Series>();
	const add = (metric: Metric, attributes: Attributes, value: number) => {
		const key = JSON.stringify([metric, attributes]);
		const { bounds } = METRICS[metric];
		const series = known.get(key) ?? { metric, attributes, counts: [...bounds.map(() => 0), 0], ...NOTHING };
		const bucket = bounds.filter((bound) => bound < value).length;
		series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
		series.sum += value;
		series.min = Math.min(series.min, value);
		series.max = Math.max(series.max, value);
		known.set(key, series);
	};
	const toPoint = ({ attributes, counts, sum, min, max }: Series, boundaries: number[]) => {
		const count = counts.reduce((all, one) => all + one, 0);
		const value = { sum, min, max, count, buckets: { boundaries, counts } };
		return { startTime, endTime: hrTime(Date.now()), attributes, value };
	};
	const toMetric = (metric: Metric) => {
		const { bounds: boundaries, ...descriptor } = METRICS[metric];
		const points = [...known.values()].filter((series) => series.metric === metric);
		return {
			descriptor: { ...descriptor, description: "" },
			aggregationTemporality: CUMULATIVE,
			dataPointType: HISTOGRAM,
			dataPoints: points.map((series) => toPoint(series, boundaries)),
		};
	};
	return {
		/** Adds a trace's model requests. Returns whether the trace has any. */
		note: ({ spans }: TurnTrace, choice: SpanChoice): boolean => {
			const values = spans.filter(({ kind }) => kind === "model").flatMap((span) => valuesOf(span, choice));
			for (const value of values) add(...value);
			return values.length > 0;
		},
		toJson: (): string => {
			const all = [toMetric("duration"), toMetric("tokens")];
			const metrics = all.filter(({ dataPoints }) => dataPoints.length > 0);
			const request = { resource, scopeMetrics: [{ scope: { name: NAME, version }, metrics }] };
			return new TextDecoder().decode(JsonMetricsSerializer.serializeRequest(request));
		},
	};
}

function valuesOf(span: Span, choice: SpanChoice): (readonly [Metric, Attributes, number])[] {
	const { facts, durationMs } = span;
	const attributes = modelAttributes(span, choice);
	const used = { input: facts["inputTokens"], output: facts["outputTokens"] };
	const tokens = Object.entries(used).flatMap(([type, count]) => {
		const own = { ...attributes, "gen_ai.token.type": type };
		// Estimated tokens do not count as usage.
		return typeof count === "number" && facts["isEstimate"] !== 1 ? [["tokens", own, count] as const] : [];
	});
	return [["duration", attributes, durationMs / 1000], ...tokens];
}
