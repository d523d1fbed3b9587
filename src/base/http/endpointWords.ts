import { messageOf } from "../failure.ts";
import { visibleText } from "../text/visibleText.ts";
import { fieldOf, parseJson } from "../values.ts";

/** Characters of an endpoint's own words that a message repeats. */
const MAX_REASON = 200;

/** Message of an OpenAI-style error, else the start of a plain answer, after a colon. Without the key, and never a link. */
export function wordsOf(text: string, secret: string | undefined): string {
	if (text.trimStart().startsWith("<")) return "";
	const words = messageIn(text);
	// Before anything is cut: the beginning of a key is a secret too.
	const safe = withoutSecret(words, secret).replace(/\s+/g, " ").trim().slice(0, MAX_REASON);
	return safe && `: ${visibleText(safe.replace(/\.$/, ""))}`;
}

export function withoutSecret(text: string, secret: string | undefined): string {
	return secret ? text.replaceAll(secret, "…") : text;
}

function messageIn(text: string): string {
	const answer = parseJson(text);
	if (answer === undefined) return text;
	const error = fieldOf(answer, "error");
	return String(fieldOf(error, "message") ?? error ?? fieldOf(answer, "message") ?? "");
}

/** `fetch` hides the reason in the cause of its error, which may have a code and no words. */
export function networkReasonOf(thrown: unknown): string {
	const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
	return cause instanceof Error && "code" in cause ? String(cause.code) : messageOf(cause);
}

/** How a server of OpenAI's protocol is sent its key. */
export function keyHeaders(hostname: string, key: string): Readonly<Record<string, string>> {
	return hostname.endsWith(".azure.com") ? { "api-key": key } : { authorization: `Bearer ${key}` };
}
