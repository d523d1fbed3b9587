import OpenAI from "openai";
import { createGuardedFetch, type GuardOptions } from "./guardedFetch.ts";

/** The library's own time limit for a request; ours for silence is shorter. */
const DAY_MS = 86_400_000;

/** Sets every option of the client library, or it would look for keys and addresses in the environment. */
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
