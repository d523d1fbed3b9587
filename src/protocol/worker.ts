import { ConnectionErrors, ErrorCodes, NotificationType, RequestType, ResponseError } from "vscode-jsonrpc";
import { Failure, type FailureCode } from "../base/failure.ts";
import type { InnerSpan, RecordEntry } from "../base/traces/recorder.ts";
import type { EmbeddingSettings } from "../core/knowledge/embedder.ts";
import type { Folder, SearchChoice } from "../core/knowledge/knowledge.ts";
import type { StorageSettings } from "../core/knowledge/storage.ts";
import type { Person } from "../core/session/memory.ts";

interface IndexOptions {
	/** Whether to index files with instructions for agents, too; `false` by default. */
	readonly agentInstructions?: boolean | undefined;
	/** Address of a SPARQL endpoint that answers in place of the embedded graph. */
	readonly graphEndpoint?: string | undefined;
	/** Default: the model that made the existing vectors, or the built-in model if there are no vectors. */
	readonly embedding?: EmbeddingSettings | undefined;
	readonly storage?: StorageSettings | undefined;
	readonly search?: SearchChoice | undefined;
}

/** The worker's configuration. The client sends it with `initialize`, also to a restarted worker. */
export interface WorkerOptions extends IndexOptions {
	/** Capitalized name of the program that uses the worker, shown to users who find the index locked. */
	readonly name?: string;
	/** Absolute path of the folder that holds the index. */
	readonly dataFolder: string;
	/** Absolute path of the folder of sessions and memory, which all windows share; by default in `dataFolder`. */
	readonly sessionsFolder?: string | undefined;
	/** Owner of sessions and memory, if the user agreed to be identified; by default the system's user. */
	readonly person?: Person;
	readonly modelFolder: string;
	readonly folders: readonly Folder[];
	/** Globs of files not to index, as in `files.exclude`, relative to every folder. */
	readonly excludes?: readonly string[];
}

/** Asks for a secret at the time of its use, so that secrets never appear in options, variables or logs. */
export interface SecretQuery {
	readonly kind: "embedding" | "storage";
	/** Scheme, host and port of an endpoint, or URI of an index. */
	readonly address: string;
}

export interface FailureData {
	readonly code: FailureCode;
}

export interface WorkerDiagnostics {
	readonly uptimeMs: number;
	readonly residentMb: number;
	/** Recent events of the worker and its parsers, oldest first. */
	readonly entries: readonly RecordEntry[];
	readonly dropped: number;
}

/** The worker answers even if the knowledge base is missing or broken. */
export const diagnose = new RequestType<Record<string, never>, WorkerDiagnostics, FailureData>(
	"copilot-ld/diagnose",
);

/** Sent by the worker; the answer is `null` if there is no such secret. */
export const secret = new RequestType<SecretQuery, string | null, void>("copilot-ld/secret");

export const foldersChanged = new NotificationType<readonly Folder[]>("copilot-ld/foldersChanged");
/** `file:` URIs of created, changed, renamed (old and new) or deleted files and folders, which are indexed again. */
export const filesChanged = new NotificationType<{ readonly uris: readonly string[] }>(
	"copilot-ld/filesChanged",
);
/** The worker sends the spans of a request before the request's answer. */
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
	/** Whether to return only text, for clients that would show structured results to the model. */
	readonly isTextOnly?: boolean;
	readonly isTest?: boolean;
	/** Path of the JUnit XML file for the outcomes of tests. */
	readonly junit?: string;
	/** Path of a file for a problem report; the program writes it and ends. */
	readonly problemReport?: string;
	readonly isCheck?: boolean;
	readonly allowed?: readonly object[];
	readonly agreed?: readonly AgreedPlugin[];
	/** The model that answers whole questions in place of the client's, and judges the criteria of tests. */
	readonly model?: ModelChoice;
	readonly agents?: AgentLimits;
	/** Endpoint of traces, and whether to include questions, answers and calls; if omitted, nothing is traced. */
	readonly otlp?: { readonly endpoint: string; readonly contents?: boolean };
}

export interface AgreedPlugin {
	readonly name: string;
	/** The plugin's fingerprint, or at least the first 16 digits of the fingerprint. */
	readonly hash: string;
}

/** Limits of a chain of agents and of an answer. Each equals the setting of the same name. */
interface AgentLimits {
	readonly maxTokens?: number;
	readonly maxMinutes?: number;
	/** Seconds. */
	readonly stepTimeout?: number;
	/** Seconds for one answer of a server's model. */
	readonly answerTimeout?: number;
	readonly answerTokens?: number;
	/** Context window of a server's model in tokens; overrides what the server states. */
	readonly modelWindow?: number;
}

export interface ModelChoice {
	readonly endpoint: string;
	readonly name: string;
}

/** Error codes of the Language Server Protocol. */
const [REQUEST_CANCELLED, REQUEST_FAILED] = [-32800, -32803];

const PIPE_CLOSED: readonly number[] = [
	ErrorCodes.PendingResponseRejected,
	ErrorCodes.ConnectionInactive,
	ErrorCodes.MessageWriteError,
	ConnectionErrors.Closed,
	ConnectionErrors.Disposed,
];

/** Converts a `Failure` or a cancellation to an error response. Returns other errors unchanged. */
export function toResponse(thrown: unknown, signal: AbortSignal): unknown {
	if (signal.aborted) return new ResponseError(REQUEST_CANCELLED, "The request was canceled.");
	if (!(thrown instanceof Failure)) return thrown;
	return new ResponseError<FailureData>(REQUEST_FAILED, thrown.message, { code: thrown.code });
}

export function fromResponse(thrown: unknown): unknown {
	if (!isResponseError(thrown)) return thrown;
	if (PIPE_CLOSED.includes(thrown.code)) {
		const message = "The background process stopped while answering. Ask again: it is restarted.";
		return new Failure("WORKER_STOPPED", message, { cause: thrown });
	}
	if (thrown.code === REQUEST_CANCELLED) return new DOMException(thrown.message, "AbortError");
	return thrown.data?.code ? new Failure(thrown.data.code, thrown.message, { cause: thrown }) : thrown;
}

/** Checks the shape, because the class may come from another bundle's copy of the library. */
function isResponseError(thrown: unknown): thrown is Error & { code: number; data?: FailureData } {
	return thrown instanceof Error && "code" in thrown && typeof thrown.code === "number";
}
