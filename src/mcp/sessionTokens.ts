import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Proofs of who calls, that need no list of what was given out. */
export interface SessionTokens {
	tokenFor(session: string): string;
	/** Whose token it is; `undefined` where it was not made here, has expired or was revoked. */
	sessionOf(token: string): string | undefined;
	revoke(session: string): void;
}

interface Claims {
	readonly session: string;
	/** Milliseconds since 1970. */
	readonly expires: number;
	/** Which token it is, in the order of making. */
	readonly serial: number;
}

/** Signed with HMAC-SHA-256 (RFC 2104) under a key that nobody else has and that ends with this object. */
export function createSessionTokens({
	lifeMs,
	now,
}: {
	readonly lifeMs: number;
	/** Milliseconds since 1970. */
	readonly now: () => number;
}): SessionTokens {
	const key = randomBytes(32);
	/** The last token of a session that does not hold. */
	const revoked = new Map<string, number>();
	let made = 0;
	const sign = (text: string) => createHmac("sha256", key).update(text).digest();
	return {
		tokenFor: (session) => {
			const claims: Claims = { session, expires: now() + lifeMs, serial: ++made };
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
			const claims: Claims = JSON.parse(Buffer.from(text, "base64url").toString());
			const isRevoked = claims.serial <= (revoked.get(claims.session) ?? 0);
			return isRevoked || claims.expires <= now() ? undefined : claims.session;
		},
		revoke: (session) => void revoked.set(session, made),
	};
}
