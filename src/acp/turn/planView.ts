import { watch } from "node:fs";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import { readPlan } from "../stored/planFiles.ts";

/** Shows the plan whenever it has changed. */
export interface PlanView {
	/** It may have changed. */
	look(): void;
	/** Looks once more, and resolves when what has changed so far is shown. */
	seen(): Promise<void>;
	stop(): void;
}

/** The CLI tells nothing of its plan but that there is one; it is seen in the files that it writes. */
export function createPlanView(folder: string, show: (event: AgentEvent) => void): PlanView {
	let shown: string | undefined;
	let isNextPlanned = false;
	/** What was planned before is known. */
	let looking: Promise<void> = readPlan(folder).then((plan) => {
		shown = JSON.stringify(plan);
	});
	const lookOnce = async () => {
		isNextPlanned = false;
		const plan = await readPlan(folder);
		const text = JSON.stringify(plan);
		if (!plan || text === shown) return;
		shown = text;
		show({ kind: "plan", ...plan });
	};
	/** A look that has begun may have missed what was changed since; one that waits will not. */
	const look = () => {
		if (isNextPlanned) return;
		isNextPlanned = true;
		looking = looking.then(lookOnce);
	};
	const stop = watchPlan(folder, look);
	const seen = () => {
		look();
		return looking;
	};
	return { look, seen, stop };
}

/** Where a folder cannot be watched, the plan is looked at when calls end. */
function watchPlan(folder: string, onChange: () => void): () => void {
	try {
		const watcher = watch(folder, { persistent: false }, (_, name) => {
			if (name === null || /^(?:plan\.md|session\.db(?:-wal)?)$/.test(name)) onChange();
		});
		watcher.on("error", () => watcher.close());
		return () => watcher.close();
	} catch {
		return () => undefined;
	}
}
