import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { messageOf } from "../base/failure.ts";
import { createRedactor, type KnownSecrets } from "../base/text/redact.ts";
import type { TurnTrace } from "../core/session/trace.ts";
import { readOtlpAddress } from "./otlpAddress.ts";
import { senderOf, toSpans } from "./otlpSpans.ts";
import { createTraceSender, type SenderOptions, type TraceSender } from "./traceSender.ts";

export interface TelemetryDeps extends Pick<SenderOptions, "delayMs" | "timeoutMs"> {
	readonly version: string;
	/** The address as the person wrote it; empty where nothing is sent. */
	endpoint(): string;
	/** Whether texts go along. */
	contents(): boolean;
	known(): Promise<KnownSecrets>;
	warn(words: string): void;
}

/** Where traces go: to the endpoint of the moment, and into a text. */
export interface Telemetry {
	/** Nobody waits for it, and it never rejects. */
	send(trace: TurnTrace): Promise<void>;
	/** What waits for an endpoint that the person does not want any more is not sent. */
	settingsChanged(): void;
	/** The body of an OTLP request. */
	toJson(traces: readonly TurnTrace[]): Promise<string>;
	/** Sends what is left. */
	flush(): Promise<void>;
	/** The same, and ends. */
	close(): Promise<void>;
}

export function createTelemetry(deps: TelemetryDeps): Telemetry {
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
		settingsChanged,
		send: async (trace) => {
			try {
				const chosen = await choice();
				senderNow()?.send(trace, chosen);
			} catch (thrown) {
				deps.warn(`A trace was not sent: ${messageOf(thrown)}`);
			}
		},
		toJson: async (traces) => {
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

/** Of an address that is none the person hears once. */
function openSender({ warn, ...deps }: TelemetryDeps, endpoint: string): TraceSender | undefined {
	try {
		return createTraceSender({
			...deps,
			url: readOtlpAddress(endpoint),
			onFailure: (words) =>
				warn(`Traces do not reach copilot-ld.telemetry.otlpEndpoint and are discarded: ${words}`),
		});
	} catch (thrown) {
		warn(messageOf(thrown));
		return undefined;
	}
}
