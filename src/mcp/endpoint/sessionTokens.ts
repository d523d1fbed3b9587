import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

export type SessionTokens = ReturnType<typeof createSessionTokens>;

interface Claims {
	readonly session: string;
	readonly serial: number;
}

interface Holder {
	/** When its tokens expire, in milliseconds since 1970. */
	expires: number;
	readonly serials: Set<number>;
}

/** Signed with HMAC-SHA-256 (RFC 2104) under a key that exists only in this object. */
export function createSessionTokens({
	lifeMs,
	now,
}: {
	/** From the last sign of a session on. */
	readonly lifeMs: number;
	/** Milliseconds since 1970. */
	readonly now: () => number;
}) {
	const key = randomBytes(32);
	const holders = new Map<string, Holder>();
	let made = 0;
	const sign = (text: string) => createHmac("sha256", key).update(text).digest();
	const holderOf = ({ session, serial }: Claims) => {
		const holder = holders.get(session);
		return holder?.serials.has(serial) && holder.expires > now() ? holder : undefined;
	};
	return {
		/** Adds a token; the session's other tokens stay valid as long as this one. */
		tokenFor: (session: string) => {
			const { serials } = holders.get(session) ?? { serials: new Set<number>() };
			holders.set(session, { serials, expires: now() + lifeMs });
			const claims: Claims = { session, serial: ++made };
			serials.add(claims.serial);
			const text = Buffer.from(JSON.stringify(claims)).toString("base64url");
			return `${text}.${sign(text).toString("base64url")}`;
		},
		/** Whose token it is, and renews it; `undefined` if it is not ours, has expired or was revoked. */
		sessionOf: (token: string) => {
			const claims = claimsOf(token, sign);
			const holder = claims && holderOf(claims);
			if (!holder) return undefined;
			holder.expires = now() + lifeMs;
			return claims.session;
		},
		/** Revokes one token. Returns the session if that was its last. */
		end: (token: string) => {
			const { session, serial } = claimsOf(token, sign) ?? { session: "", serial: 0 };
			const holder = holders.get(session);
			if (!holder?.serials.delete(serial) || holder.serials.size > 0) return undefined;
			holders.delete(session);
			return session;
		},
		revoke: (session: string) => void holders.delete(session),
	};
}

/** What a token of ours says. */
function claimsOf(token: string, sign: (text: string) => Buffer): Claims | undefined {
	const [text = "", signature = "", ...more] = token.split(".");
	const given = Buffer.from(signature, "base64url");
	const expected = sign(text);
	if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected))
		return undefined;
	// Only our own tokens get this far.
	return JSON.parse(Buffer.from(text, "base64url").toString());
}
