import type {
	AnyMessage,
	AnyNotification,
	RequestPermissionRequest,
	RequestPermissionResponse,
	SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { Failure } from "../../base/failure.ts";
import { fieldOf, isRecord, textOf } from "../../base/values.ts";
import type { SessionListener } from "./agentLink.ts";

/** Brings updates and permission requests to the session that they are about. */
export interface UpdateRouter {
	/**
	 * Takes the updates off a stream of messages. The library would check each one against its schema, drop those it
	 * does not know, and hand them on after the answers that came behind them; here nothing overtakes anything.
	 */
	read(): TransformStream<AnyMessage, AnyMessage>;
	permission(request: RequestPermissionRequest): Promise<RequestPermissionResponse>;
	listen(sessionId: string, listener: SessionListener): void;
	unlisten(sessionId: string): void;
	lost(failure: Failure): void;
}

/** A new session's first updates may come before we know its id. */
const EARLY_UPDATES = 64;

export function createUpdateRouter(): UpdateRouter {
	const listeners = new Map<string, SessionListener>();
	const early: { readonly sessionId: string; readonly update: SessionUpdate }[] = [];
	const route = (sessionId: string, update: SessionUpdate) => {
		const listener = listeners.get(sessionId);
		if (listener) return listener.update(update);
		early.push({ sessionId, update });
		if (early.length > EARLY_UPDATES) early.shift();
	};
	return {
		read: () =>
			new TransformStream({
				transform: (message, controller) => {
					if (!isUpdate(message)) return controller.enqueue(message);
					const notification = updateIn(message.params);
					if (notification) route(notification.sessionId, notification.update);
				},
			}),
		permission: async (request) =>
			(await listeners.get(request.sessionId)?.permission(request)) ?? { outcome: { outcome: "cancelled" } },
		listen: (sessionId, listener) => {
			listeners.set(sessionId, listener);
			const waiting = early.filter((item) => item.sessionId === sessionId);
			early.splice(0, early.length, ...early.filter((item) => item.sessionId !== sessionId));
			for (const { update } of waiting) listener.update(update);
		},
		unlisten: (sessionId) => void listeners.delete(sessionId),
		lost: (failure) => {
			const left = [...listeners.values()];
			listeners.clear();
			for (const listener of left) listener.lost(failure);
		},
	};
}

function isUpdate(message: AnyMessage): message is AnyNotification {
	return "method" in message && message.method === "session/update" && !("id" in message);
}

function updateIn(
	params: unknown,
): { readonly sessionId: string; readonly update: SessionUpdate } | undefined {
	const sessionId = textOf(params, "sessionId");
	const update = fieldOf(params, "update");
	// What its fields hold is looked at where they are read: agents send what the schema does not know.
	return sessionId !== undefined && isRecord(update)
		? { sessionId, update: update as SessionUpdate }
		: undefined;
}
