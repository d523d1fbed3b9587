import type {
	RequestPermissionRequest,
	RequestPermissionResponse,
	SessionUpdate,
	Stream,
} from "@agentclientprotocol/sdk";
import type { Failure } from "../../base/failure.ts";

/** A connection to an agent: our own process, or a server already running. */
export interface AgentLink {
	readonly stream: Stream;
	/** Resolves with the reason when the other side is gone. Never rejects. */
	readonly closed: Promise<string>;
	readonly pid?: number;
	/** Resolves when the other side is gone, or when we have let go of it. */
	stop(): Promise<void>;
}

/** Rejects with a `Failure` if no agent can be reached. */
export type OpenLink = () => Promise<AgentLink>;

export interface SessionListener {
	/** Called in wire order, before the answer to any later request. */
	update(update: SessionUpdate): void;
	permission(request: RequestPermissionRequest): Promise<RequestPermissionResponse>;
	lost(failure: Failure): void;
}
