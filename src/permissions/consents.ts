/** What a person allowed at one place, for the place that runs it: each consent is for one call. */
export interface Consents {
	give(session: string, tool: string): void;
	/** Uses one up; false where there is none. */
	take(session: string, tool: string): boolean;
}

export function createConsents(): Consents {
	const given = new Map<string, number>();
	const countOf = (key: string) => given.get(key) ?? 0;
	return {
		give: (session, tool) => {
			const key = JSON.stringify([session, tool]);
			given.set(key, countOf(key) + 1);
		},
		take: (session, tool) => {
			const key = JSON.stringify([session, tool]);
			const left = countOf(key) - 1;
			if (left > 0) given.set(key, left);
			else given.delete(key);
			return left >= 0;
		},
	};
}
