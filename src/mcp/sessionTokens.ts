import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Proofs of who calls, that need no list of what was given out. */
export interface SessionTokens {
	/** One more; those that the session has hold as long as this one. */
	tokenFor(session: string): string;
	/** Whose token it is, which is renewed by that; `undefined` where it was not made here, has expired or was revoked. */
	sessionOf(token: string): string | undefined;
	revoke(session: string): void;
}

interface Claims {
	readonly session: string;
	/** Which token it is, in the order of making. */
	readonly serial: number;
}

/** What is known of a session. */
interface Standing {
	/** Milliseconds since 1970: so long its tokens hold. */
	expires: number;
	/** The last token that does not hold. */
	revoked: number;
}

/** Signed with HMAC-SHA-256 (RFC 2104) under a key that nobody else has and that ends with this object. */
export function createSessionTokens({
	lifeMs,
	now,
}: {
	/** From the last sign of a session on. */
	readonly lifeMs: number;
	/** Milliseconds since 1970. */
	readonly now: () => number;
}): SessionTokens {
	const key = randomBytes(32);
	const standings = new Map<string, Standing>();
	let made = 0;
	const sign = (text: string) => createHmac("sha256", key).update(text).digest();
	const renew = (session: string) => {
		standings.set(session, { revoked: 0, ...standings.get(session), expires: now() + lifeMs });
	};
	return {
		tokenFor: (session) => {
			renew(session);
			const claims: Claims = { session, serial: ++made };
			const text = Buffer.from(JSON.stringify(claims)).toString("base64url");
			return `${text}.${sign(text).toString("base64url")}`;
		},
		sessionOf: (token) => {
			const [text = "", signature = "", ...more] = token.split(".");
			const given = Buffer.from(signature, "base64url");
			const expected = sign(text);
			if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected))
				return undefined;
			// Only what we wrote ourselves comes here.
			const { session, serial }: Claims = JSON.parse(Buffer.from(text, "base64url").toString());
			const { expires, revoked } = standings.get(session) ?? { expires: 0, revoked: made };
			if (serial <= revoked || expires <= now()) return undefined;
			renew(session);
			return session;
		},
		revoke: (session) => void standings.set(session, { expires: 0, revoked: made }),
	};
}
