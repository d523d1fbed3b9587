import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionChange, SessionSummary } from "../../src/core/session/session.ts";
import type { ViewUpdate } from "../../src/protocol/webview.ts";
import { NO_FILTERS, openingState, type ViewState } from "../../webview/model/state.ts";
import { hear, open } from "../../webview/pageActions.ts";
import { isWanted } from "../../webview/sessions/hearSessions.ts";
import { chooseFilters } from "../../webview/sessions/sessionActions.ts";
import { createRandom, type Random } from "../support/random.ts";
import { manySessions } from "./fakeSessions.ts";
import { NOW, page } from "./reducing.ts";

function change(all: Map<string, SessionSummary>, random: Random, run: number): SessionChange {
	const known = [...all.values()];
	const before = random.pick(known);
	const kind = random.below(10);
	if (kind === 0) {
		const id = `new${run}`;
		const after = { ...before, id, archived: false, updatedAt: NOW + run };
		all.set(id, after);
		return { id, after };
	}
	const { id } = before;
	if (kind === 1 && known.length > 1) {
		all.delete(id);
		return { id, before };
	}
	const after =
		kind === 2
			? { ...before, archived: !before.archived }
			: { ...before, title: `${run}`, updatedAt: NOW + run };
	all.set(id, after);
	return { id, before, after };
}

function tell(state: ViewState, update: ViewUpdate) {
	const step = hear(update)(state);
	const asked = step.requests.flatMap((request) => (request.kind === "listSessions" ? [request.offset] : []));
	return { state: step.state, asked };
}

for (const [what, filters] of [
	["without filters", NO_FILTERS],
	["with filters", { engine: "model", thisWorkspace: false, days: 30_000, archived: false }],
] as const)
	test(`after any changes the list ${what} is what a fresh one would be, and asks for nothing that it has`, () => {
		const random = createRandom(11);
		for (const count of [5, 90, 250]) {
			const all = new Map(manySessions(count).map(({ session }) => [session.id, session]));
			const wanted = () =>
				[...all.values()]
					.sort((a, b) => b.updatedAt - a.updatedAt)
					.filter((session) => isWanted(session, filters, { workspace: "", now: NOW }));
			const { state: opened } = open(openingState(undefined, NOW));
			const { state: chosen } = chooseFilters(filters)(opened);
			let { state } = tell(chosen, page(wanted(), 0, filters));
			for (let run = 0; run < 200; run++) {
				const changes = [0, 1].map((at) => change(all, random, run * 2 + at));
				const { state: next, asked } = tell(state, { kind: "sessionsChanged", changes });
				const fresh = wanted();
				state = asked.reduce((shown, offset) => tell(shown, page(fresh, offset, filters)).state, next);
				const { rows = [] } = state.sessions;
				const loaded = fresh.map((session, index) => rows[index] && { session });
				assert.deepEqual(rows, loaded);
				if (count < 100) assert.deepEqual(asked, []);
			}
		}
	});
