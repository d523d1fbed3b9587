import { Failure } from "../base/failure.ts";

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
