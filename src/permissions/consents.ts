export type Consents = ReturnType<typeof createConsents>;

/** Keeps consents that the user gave in one process for a call that runs in another. Each is valid for one call. */
export function createConsents() {
	const given = new Map<string, string[]>();
	const of = (session: string) => given.get(session) ?? [];
	return {
		give: (session: string, tool: string) => void given.set(session, [...of(session), tool]),
		take: (session: string, tool: string) => {
			const index = of(session).indexOf(tool);
			given.set(session, index < 0 ? of(session) : of(session).toSpliced(index, 1));
			return index >= 0;
		},
		/** Drops unused consents when a turn ends, so that they cannot allow later calls. */
		forget: (session: string) => void given.delete(session),
	};
}
