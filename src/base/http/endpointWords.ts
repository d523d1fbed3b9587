import { messageOf } from "../failure.ts";
import { visibleText } from "../text/visibleText.ts";
import { fieldOf, parseJson } from "../values.ts";

/** Maximum number of characters quoted from an endpoint's message. */
const MAX_REASON = 200;

/** An endpoint's error message after a colon, without the key; empty for an HTML page. */
export function wordsOf(text: string, secret: string | undefined): string {
	if (text.trimStart().startsWith("<")) return "";
	const words = messageIn(text);
	// Remove the key before cutting, because a part of the key is secret, too.
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

/** `fetch` hides the reason of an error in the error's cause, which may have a code but no message. */
export function networkReasonOf(thrown: unknown): string {
	const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : thrown;
	return cause instanceof Error && "code" in cause ? String(cause.code) : messageOf(cause);
}

export function keyHeaders(hostname: string, key: string): Readonly<Record<string, string>> {
	return hostname.endsWith(".azure.com") ? { "api-key": key } : { authorization: `Bearer ${key}` };
}
