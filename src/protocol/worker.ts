import { NotificationType, RequestType } from "vscode-jsonrpc";
import type { FailureCode } from "../base/failure.ts";
import type { InnerSpan } from "../base/traces/innerSpans.ts";
import type { RecordEntry } from "../base/traces/recorder.ts";
import type { EmbeddingSettings } from "../core/knowledge/embedder.ts";
import type { Folder, SearchChoice } from "../core/knowledge/knowledge.ts";
import type { StorageSettings } from "../core/knowledge/storage.ts";
import type { Person } from "../core/session/journalEntry.ts";
import type { SessionChange } from "../core/session/session.ts";

/** Sent with `initialize`: all that the worker needs to know, so that a restarted one is the same. */
export interface WorkerOptions {
	/** What the worker works for, as the first words of a sentence: others read it while it keeps the index in step. */
	readonly name?: string;
	/** Absolute path of the folder that holds the index. */
	readonly dataFolder: string;
	/** Absolute path of the folder of sessions and memory, which all windows share; left out, it is beside the index. */
	readonly sessionsFolder?: string;
	/** Whose sessions and memory they are, where the person agreed to say it; else the system's user's. */
	readonly person?: Person;
	readonly modelFolder: string;
	readonly folders: readonly Folder[];
	/** Globs as in `files.exclude`, relative to every folder: what they match is not indexed. */
	readonly excludes?: readonly string[];
	/** Whether files that tell agents what to do are indexed too; not where it is left out. */
	readonly agentInstructions?: boolean;
	/** Address of a SPARQL endpoint that answers in place of the embedded graph. */
	readonly graphEndpoint?: string;
	/** The model that made the vectors that are there where it is left out, and the built-in one if there are none. */
	readonly embedding?: EmbeddingSettings;
	readonly storage?: StorageSettings;
	/** How it is searched where a query does not say. */
	readonly search?: SearchChoice;
}

/** A secret is asked for when it is needed: it stands in no option, variable or log. */
export interface SecretQuery {
	readonly kind: "embedding" | "storage";
	/** Of an endpoint its scheme, host and port; of an index its URI. */
	readonly address: string;
}

/** Files and folders that were made, changed, renamed or deleted. */
export interface FilesChanged {
	/** `file:` URIs; of a renamed one both the old and the new. */
	readonly uris: readonly string[];
}

/** The `data` of an error response that carries a `Failure`. */
export interface FailureData {
	readonly code: FailureCode;
}

/** What a worker tells of itself, for a report of a problem. */
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
/** The worker brings just these in step, soon; it sends no answer. */
export const filesChanged = new NotificationType<FilesChanged>("copilot-ld/filesChanged");
/** What the worker did for a span that asked it, before it answers. */
export const spansEnded = new NotificationType<{ readonly spans: readonly InnerSpan[] }>(
	"copilot-ld/spansEnded",
);
/** The worker tells that the index is another one now: documents came, changed or went. */
export const indexChanged = new NotificationType<Record<string, never>>("copilot-ld/indexChanged");

/** The worker tells what has become of the sessions that it changed. */
export const sessionsChanged = new NotificationType<{ readonly changes: readonly SessionChange[] }>(
	"copilot-ld/sessions/changed",
);
