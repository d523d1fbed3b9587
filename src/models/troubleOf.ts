import { APIConnectionError, APIError } from "openai";
import { Failure, messageOf } from "../base/failure.ts";
import { networkReasonOf, withoutSecret, wordsOf } from "../base/http/endpointWords.ts";
import { Passing, retryAfterOf } from "../base/http/persistent.ts";
import { visibleText } from "../base/text/visibleText.ts";

export interface Asked {
	readonly base: string;
	/** Name of the model; missing if the server was asked to list its models. */
	readonly model?: string;
	readonly key: string | undefined;
	readonly steps: FixSteps;
}

/** Steps with which the user can fix a failure in the current channel, as ends of our sentences. */
export interface FixSteps {
	readonly address: string;
	readonly key: string;
	readonly model: string;
	readonly limits: string;
}

const ADD_AGAIN = 'run "Copilot-LD: Manage Models…" again';

export const IN_EDITOR: FixSteps = {
	address: ADD_AGAIN,
	key: ADD_AGAIN,
	model: ADD_AGAIN,
	limits: "raise its limit in the setting copilot-LD.agents.limits",
};

export const TOO_LONG =
	/context.?(length|size|window)|maximum context|exceeds? the (available )?context|(prompt|input) is too long|too many (input )?tokens/i;
const NO_SUCH_MODEL = /\bmodel\b.{0,100}(does not exist|not[ _]found|unknown)|(unknown|no such) model/i;
/** Network errors that a retry a second later would not fix. */
const LASTING = /ECONNREFUSED|ENOTFOUND|CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL|ERR_INVALID/;

/** Explains a failed request. Returns `Passing` if a retry could help. */
export function troubleOf(thrown: unknown, asked: Asked): ModelTrouble | Passing {
	const own = [thrown, thrown instanceof Error && thrown.cause].find((one) => one instanceof ModelTrouble);
	if (own) return own.kind === "brokenOff" ? new Passing(own) : own;
	if (thrown instanceof APIError && thrown.status !== undefined) return refusal(thrown, thrown.status, asked);
	if (thrown instanceof APIConnectionError) return unreachable(thrown, asked);
	if (thrown instanceof APIError) return toldInStream(thrown, asked);
	if (thrown instanceof SyntaxError) return malformed(asked, messageOf(thrown));
	return new Passing(brokenOff(asked, thrown));
}

export function malformed({ base, steps }: Asked, why: string): ModelTrouble {
	const words = `${base} does not answer as the OpenAI API does (${why.replace(/\.$/, "")}). To change the address, ${steps.address}.`;
	return new ModelTrouble("malformed", words);
}

export function brokenOff({ base, key }: Asked, cause?: unknown): ModelTrouble {
	const reason = cause === undefined ? "" : ` (${withoutSecret(networkReasonOf(cause), key)})`;
	const words = `The answer from ${base} was cut off${reason}. Ask again.`;
	return new ModelTrouble("brokenOff", words, { cause });
}

export function unreadableCall({ base, model }: Asked, tool: string): ModelTrouble {
	const words = `"${model}" on ${base} called ${visibleText(tool.slice(0, 64))} with arguments that cannot be read, so nothing was done. Ask again, or choose another model.`;
	return new ModelTrouble("brokenOff", words);
}

function unreachable(thrown: APIConnectionError, { base, key, steps }: Asked) {
	const { cause, message } = thrown;
	// The key is removed, because an error about an invalid header quotes it. The library wraps the error of `fetch`,
	// which wraps the network's error.
	const reason = withoutSecret(cause === undefined ? message : networkReasonOf(cause), key);
	const words = `${base} cannot be reached (${reason}). Start the server. If its address has changed, ${steps.address}.`;
	const failure = new ModelTrouble("unreachable", words, { cause: thrown });
	return LASTING.test(reason) ? failure : new Passing(failure);
}

function toldInStream(thrown: APIError, asked: Asked) {
	const words = ownWords(thrown, asked);
	const kind = TOO_LONG.test(words) ? "contextExceeded" : "serverFailed";
	const failure = new ModelTrouble(kind, MESSAGES[kind](asked, words.replace(/^: /, "") || "an error"));
	return kind === "serverFailed" ? new Passing(failure) : failure;
}

function refusal(thrown: APIError, status: number, asked: Asked) {
	const words = ownWords(thrown, asked);
	const kind = kindOf(status, `${words} ${thrown.code ?? ""}`);
	const isSpent = /insufficient_quota|quota.{0,20}exceeded/i.test(`${thrown.code ?? ""} ${words}`);
	const waitMs = thrown.headers && retryAfterOf(thrown.headers);
	const failure = new ModelTrouble(kind, MESSAGES[kind](asked, `${status}${words}${pauseIn(waitMs)}`));
	const mayPass = (kind === "rateLimited" && !isSpent) || kind === "serverFailed";
	return mayPass ? new Passing(failure, waitMs) : failure;
}

function pauseIn(ms = 0): string {
	const minutes = Math.ceil(ms / 60_000);
	if (minutes <= 1) return "";
	return minutes < 100
		? `, and asks to wait ${minutes} minutes`
		: `, and asks to wait ${Math.round(minutes / 60)} hours`;
}

type Refused = keyof typeof MESSAGES;

function kindOf(status: number, words: string): Refused {
	const known = STATUSES.get(status);
	if (known) return known;
	if (status < 400) return "redirected";
	if (TOO_LONG.test(words)) return "contextExceeded";
	if (status >= 500) return "serverFailed";
	return NO_SUCH_MODEL.test(words) ? "modelUnknown" : "refused";
}

const STATUSES: ReadonlyMap<number, Refused> = new Map([
	[401, "keyRefused"],
	[403, "keyRefused"],
	[404, "modelUnknown"],
	[408, "serverFailed"],
	[429, "rateLimited"],
]);

const MESSAGES = {
	keyRefused: ({ base, key, steps }, why) =>
		`${base} ${key ? "does not accept the key" : "requires a key"} (${why}). To enter another one, ${steps.key}.`,
	modelUnknown: ({ base, model, steps }, why) =>
		model === undefined
			? `${base} does not list its models (${why}).`
			: `${base} does not know the model "${model}" (${why}). Load it there, or ${steps.model}.`,
	contextExceeded: ({ base, model, steps }, why) =>
		`The request is longer than "${model}" on ${base} can read (${why}). Give the server a larger context window, or ${steps.model}.`,
	rateLimited: ({ base }, why) => `${base} accepts no more requests for now (${why}). Wait, and ask again.`,
	redirected: ({ base, steps }, why) =>
		`${base} redirects to another address, and redirects are not followed (${why}). To use that address, ${steps.address}.`,
	refused: ({ base }, why) => `${base} refused the request (${why}).`,
	serverFailed: ({ base }, why) => `${base} failed (${why}). Check the server, and ask again.`,
} satisfies Readonly<Record<string, (asked: Asked, why: string) => string>>;

/** Returns the server's own message, after a colon. */
export function ownWords({ error, message }: APIError, { key }: Asked): string {
	return wordsOf(error ? JSON.stringify({ error }) : message.replace(/^\d{3} /, ""), key);
}

type TroubleKind = Refused | "unreachable" | "silent" | "malformed" | "brokenOff";

export class ModelTrouble extends Failure {
	readonly kind: TroubleKind;

	constructor(kind: TroubleKind, message: string, options?: ErrorOptions) {
		super("MODEL_FAILED", message, options);
		this.kind = kind;
	}
}
