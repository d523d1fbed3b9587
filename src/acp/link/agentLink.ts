import type {
	RequestPermissionRequest,
	RequestPermissionResponse,
	SessionUpdate,
	Stream,
} from "@agentclientprotocol/sdk";
import type { Failure } from "../../base/failure.ts";

/** A way to an agent: a process of ours, or a server that runs already. */
export interface AgentLink {
	readonly stream: Stream;
	/** Resolves with why, when the other side is gone. Never rejects. */
	readonly closed: Promise<string>;
	/** Of a process of ours. */
	readonly pid?: number;
	/** Resolves when the other side is gone, or when we have let go of it. */
	stop(): Promise<void>;
}

/** Rejects with a `Failure` where there is no agent to be had. */
export type OpenLink = () => Promise<AgentLink>;

/** What happens in one session. */
export interface SessionListener {
	/** Called in the order of the wire, before the answer to any request that follows. */
	update(update: SessionUpdate): void;
	permission(request: RequestPermissionRequest): Promise<RequestPermissionResponse>;
	/** The agent is gone, and the session's place in it. */
	lost(failure: Failure): void;
}
