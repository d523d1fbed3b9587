import type { Span, TurnTrace } from "../core/session/trace.ts";
import { type Attributes, modelAttributes, type SpanChoice, toNanoseconds, toOtlp } from "./otlpSpans.ts";

const METRICS = {
	duration: {
		name: "gen_ai.client.operation.duration",
		unit: "s",
		bounds: Array.from({ length: 14 }, (_, at) => 2 ** at / 100),
	},
	tokens: {
		name: "gen_ai.client.token.usage",
		unit: "{token}",
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

/** What the protocol sends: each request has everything since the beginning. */
const CUMULATIVE = 2;

/** Durations and tokens of requests to models, as histograms with the conventions' names and bounds. */
export function createModelMetrics() {
	const startTimeUnixNano = toNanoseconds(Date.now());
	const all = new Map<string, Series>();
	const add = (metric: Metric, attributes: Attributes, value: number) => {
		const key = JSON.stringify([metric, attributes]);
		const { bounds } = METRICS[metric];
		const series = all.get(key) ?? {
			metric,
			attributes,
			counts: new Array<number>(bounds.length + 1).fill(0),
			sum: 0,
			min: Number.POSITIVE_INFINITY,
			max: 0,
		};
		const bucket = bounds.findIndex((bound) => value <= bound);
		const at = bucket < 0 ? bounds.length : bucket;
		series.counts[at] = (series.counts[at] ?? 0) + 1;
		series.sum += value;
		series.min = Math.min(series.min, value);
		series.max = Math.max(series.max, value);
		all.set(key, series);
	};
	const toPoint = ({ metric, attributes, counts, sum, min, max }: Series) => ({
		startTimeUnixNano,
		timeUnixNano: toNanoseconds(Date.now()),
		attributes: toOtlp(attributes),
		count: counts.reduce((before, one) => before + one, 0),
		sum,
		min,
		max,
		bucketCounts: counts,
		explicitBounds: METRICS[metric].bounds,
	});
	const toMetric = (metric: Metric) => {
		const { name, unit } = METRICS[metric];
		const dataPoints = [...all.values()].filter((series) => series.metric === metric).map(toPoint);
		return { name, unit, histogram: { aggregationTemporality: CUMULATIVE, dataPoints } };
	};
	return {
		note: ({ spans }: TurnTrace, choice: SpanChoice) => {
			for (const span of spans.filter(({ kind }) => kind === "model"))
				for (const value of valuesOf(span, choice)) add(...value);
		},
		/** In the protocol's form; none without a request to a model. */
		toOtlp: () =>
			[toMetric("duration"), toMetric("tokens")].filter(({ histogram }) => histogram.dataPoints.length > 0),
	};
}

function valuesOf(span: Span, choice: SpanChoice): (readonly [Metric, Attributes, number])[] {
	const { facts, durationMs } = span;
	const attributes = modelAttributes(span, choice);
	// An estimate is not usage.
	const used =
		facts["isEstimate"] === 1 ? {} : { input: facts["inputTokens"], output: facts["outputTokens"] };
	const tokens = Object.entries(used).flatMap(([type, count]) => {
		const own = { ...attributes, "gen_ai.token.type": type };
		return typeof count === "number" ? [["tokens", own, count] as const] : [];
	});
	return [["duration", attributes, durationMs / 1000], ...tokens];
}
