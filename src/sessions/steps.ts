import { ifThere } from "../base/failure.ts";
import type { JournalEntry } from "../core/session/journalEntry.ts";
import type { SessionSummary } from "../core/session/session.ts";
import type { Journals } from "./journal/journals.ts";
import type { Overview } from "./journal/overview.ts";
import { toTranscript } from "./journal/transcript.ts";

/** Whether a list of the steps of a chain, or of any, or of what is no step, holds a session. */
export function isAmong(
	{ id, partOf }: SessionSummary,
	stepsOf: string | undefined,
	{ digests }: Overview,
): boolean {
	// A step whose chain is gone, or is itself, stands for itself.
	const isStep = partOf !== undefined && partOf.session !== id && digests().has(partOf.session);
	if (stepsOf === undefined) return !isStep;
	return isStep && (stepsOf === "" || stepsOf === partOf.session);
}

/** The steps of a chain, and those of the chains that they began, as far as there are journals of them. */
export function stepsBelow(chain: string, journals: Pick<Journals, "entries">): Promise<string[]> {
	return eachStep(chain, { ...journals, visit: async () => undefined });
}

/** Brings them back, from the top down: what is in the trash cannot be read. */
export function restoreSteps(
	chain: string,
	journals: Pick<Journals, "entries" | "restore">,
): Promise<string[]> {
	return eachStep(chain, { ...journals, visit: journals.restore });
}

interface Walk extends Pick<Journals, "entries"> {
	visit(step: string): Promise<void>;
}

async function eachStep(chain: string, walk: Walk, seen: Set<string> = new Set([chain])): Promise<string[]> {
	const steps = sessionsOfSteps(await walk.entries(chain)).filter((id) => !seen.has(id));
	const found: string[] = [];
	for (const step of steps) {
		seen.add(step);
		const below = await ifThere(async () => {
			await walk.visit(step);
			return eachStep(step, walk, seen);
		});
		if (below) found.push(step, ...below);
	}
	return found;
}

function sessionsOfSteps(entries: readonly JournalEntry[]): string[] {
	const found = entries.flatMap((entry) =>
		entry.kind === "event" && entry.event.kind === "stepStarted" ? (entry.event.session ?? []) : [],
	);
	return [...new Set(found)];
}

/** The chain at the top of a step, and its step through which the way leads; itself for what is no step. */
export function topOf(
	session: SessionSummary,
	{ digests }: Overview,
): { readonly top: SessionSummary; readonly via: string } {
	let [top, via] = [session, session.id];
	for (const seen = new Set<string>(); top.partOf && !seen.has(top.id); ) {
		seen.add(top.id);
		const above = digests().get(top.partOf.session)?.summary;
		if (!above) break;
		[top, via] = [above, top.id];
	}
	return { top, via };
}

/** The turn of a chain in which one of its steps ran; its first where its journal does not say. */
export async function turnOfStep(
	chain: SessionSummary,
	step: string,
	journals: Pick<Journals, "entries">,
): Promise<number> {
	const entries: readonly JournalEntry[] = await journals.entries(chain.id);
	const { turns } = toTranscript(chain, entries);
	return turns.find(({ runs = [] }) => runs.some(({ session }) => session === step))?.turn ?? 0;
}
