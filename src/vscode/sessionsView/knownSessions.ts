import type { CliHistory } from "../../acp/turn/session/cliHistory.ts";
import { coalesce } from "../../base/jobs/coalesce.ts";
import type { SessionSummary } from "../../core/session/session.ts";

/** The CLI's sessions as of the last look. If a look fails, the former ones stay. */
export type KnownSessions = ReturnType<typeof createKnownSessions>;

export interface KnownSessionsDeps {
	readonly cli: CliHistory;
	/** Called when a look has found others than the one before. */
	onChange(): void;
	/** Hears of a side that failed while the other one answered. */
	onError(thrown: unknown): void;
}

/** Milliseconds between two looks for the sake of the list, which is requested often while a turn runs. */
const REST = 2_000;

export function createKnownSessions({ cli, onChange, onError }: KnownSessionsDeps) {
	let known: readonly SessionSummary[] = [];
	let first: Promise<void> | undefined;
	let lookedAt = 0;
	let isResting = false;
	/** A look that has begun may have missed what was changed since; one that waits will not. */
	const lookOnce = coalesce(async () => {
		lookedAt = Date.now();
		try {
			const found = await cli.list();
			const isChanged = JSON.stringify(found) !== JSON.stringify(known);
			known = found;
			if (isChanged) onChange();
		} catch (thrown) {
			onError(thrown);
		}
	});
	const look = () => {
		const looking = lookOnce();
		first ??= looking;
		return looking;
	};
	const all = async () => {
		await (first ?? look());
		return known;
	};
	return {
		now: () => known,
		/** Waits for a look if there was none yet. */
		all,
		has: async (id: string) => (await all()).some((session) => session.id === id),
		look,
		/** Looks, after a rest if somebody has just looked. */
		lookAgain: () => {
			const rest = lookedAt + REST - Date.now();
			if (rest <= 0) void look();
			if (rest <= 0 || isResting) return;
			isResting = true;
			setTimeout(() => {
				isResting = false;
				void look();
			}, rest).unref();
		},
	};
}
