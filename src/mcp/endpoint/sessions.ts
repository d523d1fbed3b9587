import { createHash, randomBytes } from "node:crypto";
import type { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { StepGrant } from "../../core/agent/tool.ts";

export interface Session {
	readonly name: string;
	/** The step that the session runs; absent for sessions outside of a chain. */
	step?: StepGrant;
	commands: ReadonlySet<string>;
	/** MCP connections by id, oldest first; each may span many HTTP requests. */
	readonly clients: Map<string, StreamableHTTPServerTransport>;
	/** Expiry of the session's tokens, in milliseconds since 1970. */
	expires: number;
	/** Number of calls left at the time `countedAt`. */
	calls: number;
	/** Milliseconds since 1970. */
	countedAt: number;
}

/** Milliseconds that a token stays valid after the session's last call. */
const LIFE_MS = 12 * 60 * 60 * 1000;
/** Number of calls that a session may make at once; `PER_SECOND` are added each second. */
const BURST = 100;
const PER_SECOND = 20;

export function createSessions() {
	const sessions = new Map<string, Session>();
	/** Sessions by hash of their tokens, so that the time of a comparison reveals nothing about a token. */
	const holders = new Map<string, Session>();
	return {
		get: (name: string) => sessions.get(name),
		all: () => [...sessions.values()],
		/** Creates a token, and renews the session's other tokens. */
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
		/** Returns a token's session and renews it; `undefined` if the token is unknown, expired or revoked. */
		holderOf: (token: string) => {
			const session = holders.get(hashOf(token));
			if (!session || session.expires <= Date.now()) return undefined;
			session.expires = Date.now() + LIFE_MS;
			return session;
		},
		/** Revokes a token. Returns the session if this was its last token. */
		end: (token: string) => {
			const hash = hashOf(token);
			const session = holders.get(hash);
			holders.delete(hash);
			if (!session || [...holders.values()].includes(session)) return undefined;
			sessions.delete(session.name);
			return session;
		},
		/** Token bucket (Turner 1986, "New directions in communications"): seconds until the next call, or 0. */
		takeCall: (session: Session) => {
			// Setting the clock back must not reduce the number of calls.
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
