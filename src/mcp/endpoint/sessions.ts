import { createHash, randomBytes } from "node:crypto";
import type { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { StepGrant } from "../../core/agent/tool.ts";

export interface Session {
	readonly name: string;
	/** Absent outside of a chain. */
	step?: StepGrant;
	commands: ReadonlySet<string>;
	/** Its MCP connections by their ids, oldest first; each may span many HTTP requests. */
	readonly clients: Map<string, StreamableHTTPServerTransport>;
	/** When its tokens expire, in milliseconds since 1970. */
	expires: number;
	/** Calls that it may still make, at a time in milliseconds since 1970. */
	calls: number;
	countedAt: number;
}

/** How long a token stays valid after the last sign of its session. */
const LIFE_MS = 12 * 60 * 60 * 1000;
/** How many calls a session may make at once, and how many more in each second. */
const BURST = 100;
const PER_SECOND = 20;

export function createSessions() {
	const sessions = new Map<string, Session>();
	/** By the hashes of their tokens: how long a comparison takes says nothing of a token. */
	const holders = new Map<string, Session>();
	return {
		get: (name: string) => sessions.get(name),
		all: () => [...sessions.values()],
		/** Adds a token; the session's other tokens stay valid as long as this one. */
		tokenFor: (name: string, step?: StepGrant) => {
			const made = { name, commands: new Set<string>(), clients: new Map(), expires: 0 };
			const session: Session = sessions.get(name) ?? { ...made, calls: BURST, countedAt: Date.now() };
			session.expires = Date.now() + LIFE_MS;
			if (step) session.step = step;
			sessions.set(name, session);
			const token = randomBytes(32).toString("base64url");
			holders.set(hashOf(token), session);
			return token;
		},
		/** Whose token it is, and renews it; `undefined` if it is not ours, has expired or was ended. */
		holderOf: (token: string) => {
			const session = holders.get(hashOf(token));
			if (!session || session.expires <= Date.now()) return undefined;
			session.expires = Date.now() + LIFE_MS;
			return session;
		},
		/** Ends one token. Returns the session if that was its last. */
		end: (token: string) => {
			const hash = hashOf(token);
			const session = holders.get(hash);
			holders.delete(hash);
			if (!session || [...holders.values()].includes(session)) return undefined;
			sessions.delete(session.name);
			return session;
		},
		/** A token bucket (Turner 1986, "New directions in communications"): seconds until the next call, or 0 if it may go on. */
		takeCall: (session: Session) => {
			// A clock that was set back must not take calls away.
			const seconds = Math.max(0, Date.now() - session.countedAt) / 1000;
			const calls = Math.min(BURST, session.calls + seconds * PER_SECOND);
			const isFree = calls >= 1;
			session.calls = isFree ? calls - 1 : calls;
			session.countedAt = Date.now();
			return isFree ? 0 : Math.ceil((1 - calls) / PER_SECOND);
		},
	};
}

function hashOf(token: string): string {
	return createHash("sha256").update(token).digest("hex");
}
