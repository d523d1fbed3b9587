import type { RecordCall } from "../../agent/call/toolCall.ts";
import { createTurnTracer } from "../../agent/loop/turnTracer.ts";
import { messageOf } from "../../base/failure.ts";
import { once } from "../../base/jobs/lazily.ts";
import { endsWithin } from "../../base/jobs/untilAborted.ts";
import { secretsKnownHere } from "../../base/program/knownSecrets.ts";
import type { McpArguments } from "../../protocol/worker.ts";
import { type McpRun, tell } from "../arguments/mcpRun.ts";

export type Traces = ReturnType<typeof openTraces>;

/** Maximum milliseconds to wait for the collector at exit. */
const CLOSING_MS = 2000;

export function openTraces(
	{ programs, secrets }: McpRun,
	{ endpoint, contents = false }: NonNullable<McpArguments["otlp"]>,
) {
	const telemetry = once(async () => {
		const { createTelemetry } = await import("../../telemetry/telemetry.ts");
		return createTelemetry({
			version: programs.version,
			endpoint: () => endpoint,
			contents: () => contents,
			known: async () => secretsKnownHere(secrets.values),
			warn: tell,
		});
	});
	const tracer = createTurnTracer({
		keepsTexts: () => contents,
		onEnd: (trace) => {
			telemetry
				.get()
				.then(({ send }) => send(trace))
				.catch((thrown: unknown) => tell(messageOf(thrown)));
		},
	});
	return {
		...tracer,
		recording: (record: RecordCall = (_, run) => run()): RecordCall => {
			return (call, run) => {
				const { tool, input, context } = call;
				return tracer.call({ title: tool.name, input }, context.signal, () => record(call, run));
			};
		},
		close: async () => {
			const opened = await telemetry.peek()?.catch(() => undefined);
			if (opened) await endsWithin(opened.close(), CLOSING_MS);
		},
	};
}
