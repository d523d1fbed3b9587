export type Consents = ReturnType<typeof createConsents>;

/** Single-use consents that the user gave in one process for a call that runs in another. */
export function createConsents() {
	const given = new Map<string, string[]>();
	const of = (session: string) => given.get(session) ?? [];
	return {
		give: (session: string, tool: string) => void given.set(session, [...of(session), tool]),
		/** Uses one consent; false if there is none. */
		take: (session: string, tool: string) => {
			const index = of(session).indexOf(tool);
			given.set(session, index < 0 ? of(session) : of(session).toSpliced(index, 1));
			return index >= 0;
		},
		/** Drops the unused consents of a finished turn, so they cannot allow later calls. */
		forget: (session: string) => void given.delete(session),
	};
}
