import OpenAI from "openai";
import { createGuardedFetch, type GuardOptions } from "./guardedFetch.ts";

/** The library's own limit on a request; ours on silence is shorter. */
const DAY_MS = 86_400_000;

/** The client library, which is told everything: it would look for a key and for addresses in the environment. */
export function createClient(options: GuardOptions): OpenAI {
	return new OpenAI({
		baseURL: options.address.base,
		apiKey: options.key ?? "none",
		adminAPIKey: null,
		organization: null,
		project: null,
		webhookSecret: null,
		maxRetries: 0,
		timeout: DAY_MS,
		logLevel: "off",
		fetch: createGuardedFetch(options),
	});
}
