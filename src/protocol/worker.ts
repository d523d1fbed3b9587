import { ConnectionErrors, ErrorCodes, NotificationType, RequestType, ResponseError } from "vscode-jsonrpc";
import { Failure, type FailureCode } from "../base/failure.ts";
import type { InnerSpan, RecordEntry } from "../base/traces/recorder.ts";
import type { EmbeddingSettings } from "../core/knowledge/embedder.ts";
import type { Folder, SearchChoice } from "../core/knowledge/knowledge.ts";
import type { StorageSettings } from "../core/knowledge/storage.ts";
import type { Person } from "../core/session/memory.ts";

interface IndexOptions {
	/** Whether files with instructions for agents are indexed too; not if omitted. */
	readonly agentInstructions?: boolean | undefined;
	/** Address of a SPARQL endpoint that answers in place of the embedded graph. */
	readonly graphEndpoint?: string | undefined;
	/** If omitted, the model that made the existing vectors, or the built-in one if there are none. */
	readonly embedding?: EmbeddingSettings | undefined;
	readonly storage?: StorageSettings | undefined;
	readonly search?: SearchChoice | undefined;
}

/** Sent with `initialize`: all that the worker needs to know, so that a restarted one is the same. */
export interface WorkerOptions extends IndexOptions {
	/** What the worker works for, as the first words of a sentence: others read it while it keeps the index in step. */
	readonly name?: string;
	/** Absolute path of the folder that holds the index. */
	readonly dataFolder: string;
	/** Absolute path of the folder of sessions and memory, which all windows share; if omitted, it is next to the index. */
	readonly sessionsFolder?: string | undefined;
	/** The owner of the sessions and the memory, if the user agreed to identify themselves; else the system's user. */
	readonly person?: Person;
	readonly modelFolder: string;
	readonly folders: readonly Folder[];
	/** Globs as in `files.exclude`, relative to every folder: what they match is not indexed. */
	readonly excludes?: readonly string[];
}

/** A secret is requested when it is needed: it is in no option, variable or log. */
export interface SecretQuery {
	readonly kind: "embedding" | "storage";
	/** For an endpoint its scheme, host and port; for an index its URI. */
	readonly address: string;
}

/** The `data` of an error response that carries a `Failure`. */
export interface FailureData {
	readonly code: FailureCode;
}

export interface WorkerDiagnostics {
	readonly uptimeMs: number;
	readonly residentMb: number;
	/** What happened of late in it and in its parsers, oldest first. */
	readonly entries: readonly RecordEntry[];
	readonly dropped: number;
}

/** Answered also if there is no knowledge base, or a broken one. */
export const diagnose = new RequestType<Record<string, never>, WorkerDiagnostics, FailureData>(
	"copilot-ld/diagnose",
);

/** Asked by the worker; `null` if there is no such secret. */
export const secret = new RequestType<SecretQuery, string | null, void>("copilot-ld/secret");

export const foldersChanged = new NotificationType<readonly Folder[]>("copilot-ld/foldersChanged");
/** `file:` URIs of what was made, changed, renamed (both the old and the new one) or deleted: just these are brought in step. */
export const filesChanged = new NotificationType<{ readonly uris: readonly string[] }>(
	"copilot-ld/filesChanged",
);
/** What the worker did for a span that asked it, before it answers. */
export const spansEnded = new NotificationType<{ readonly spans: readonly InnerSpan[] }>(
	"copilot-ld/spansEnded",
);
export const indexChanged = new NotificationType<Record<string, never>>("copilot-ld/indexChanged");

export const sessionsChanged = new NotificationType<Record<string, never>>("copilot-ld/sessions/changed");

/** Arguments of the MCP program. Secrets are passed in variables, because a command line is visible to every user. */
export interface McpArguments extends IndexOptions {
	/** Absolute or relative paths of the folders whose files are the knowledge; at least one. */
	readonly workspaces: readonly string[];
	/** Path of the folder of the index; if omitted, the program chooses one. */
	readonly data?: string;
	/** Path of the folder with the permission rules; if omitted, every call is allowed. */
	readonly permissions?: string;
	/** Path of the folder that records the requests of clients and the answers; if omitted, nothing is kept. */
	readonly sessions?: string;
	/** Globs as in `files.exclude`. */
	readonly excludes: readonly string[];
	/** Whether results are words only, for clients that show the structure to the model instead of them, or besides. */
	readonly isTextOnly?: boolean;
	/** Whether it only runs the tests of the folders. */
	readonly isTest?: boolean;
	/** Path of the file that gets their outcomes as JUnit XML. */
	readonly junit?: string;
	/** Path of the file that gets a problem report; the program then ends. */
	readonly problemReport?: string;
	/** Whether it only checks the files of agents and plugins. */
	readonly isCheck?: boolean;
	/** Values of rules that allow calls, as the settings have rules, and versions of plugins that were agreed to. */
	readonly allowed?: readonly object[];
	readonly agreed?: readonly AgreedPlugin[];
	/** What answers whole questions in place of the client's model, and judges the criteria of tests. */
	readonly model?: ModelChoice;
	readonly agents?: AgentLimits;
	/** Where traces go, and whether with the words of questions, answers and calls; if omitted, nothing is traced. */
	readonly otlp?: { readonly endpoint: string; readonly contents?: boolean };
}

export interface AgreedPlugin {
	readonly name: string;
	/** Fingerprint, or at least 16 of its first digits. */
	readonly hash: string;
}

/** What a chain of agents and an answer may take; each as the setting of the same name says. */
interface AgentLimits {
	readonly maxTokens?: number;
	readonly maxMinutes?: number;
	/** Seconds. */
	readonly stepTimeout?: number;
	/** Seconds for one answer of a server's model. */
	readonly answerTimeout?: number;
	readonly answerTokens?: number;
	/** Tokens that a server's model can read and write in one request, whatever the server says. */
	readonly modelWindow?: number;
}

export interface ModelChoice {
	readonly endpoint: string;
	readonly name: string;
}

/** The codes of LSP for a request that the client cancelled, and for one that was understood but cannot be answered. */
const [REQUEST_CANCELLED, REQUEST_FAILED] = [-32800, -32803];

const PIPE_CLOSED: readonly number[] = [
	ErrorCodes.PendingResponseRejected,
	ErrorCodes.ConnectionInactive,
	ErrorCodes.MessageWriteError,
	ConnectionErrors.Closed,
	ConnectionErrors.Disposed,
];

/** What was thrown, as it goes over the pipe. A bug stays as it is: the connection makes an internal error of it. */
export function toResponse(thrown: unknown, signal: AbortSignal): unknown {
	if (signal.aborted) return new ResponseError(REQUEST_CANCELLED, "The request was canceled.");
	if (!(thrown instanceof Failure)) return thrown;
	return new ResponseError<FailureData>(REQUEST_FAILED, thrown.message, { code: thrown.code });
}

/** What a request was rejected with, as the asker must see it. */
export function fromResponse(thrown: unknown): unknown {
	if (!isResponseError(thrown)) return thrown;
	if (PIPE_CLOSED.includes(thrown.code)) {
		const message = "The background process stopped while answering. Ask again: it is restarted.";
		return new Failure("WORKER_STOPPED", message, { cause: thrown });
	}
	if (thrown.code === REQUEST_CANCELLED) return new DOMException(thrown.message, "AbortError");
	return thrown.data?.code ? new Failure(thrown.data.code, thrown.message, { cause: thrown }) : thrown;
}

/** By its shape: the class may come from another bundle's copy of the library. */
function isResponseError(thrown: unknown): thrown is Error & { code: number; data?: FailureData } {
	return thrown instanceof Error && "code" in thrown && typeof thrown.code === "number";
}
