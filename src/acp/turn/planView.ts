import { watch } from "node:fs";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import { readPlan } from "../stored/planFiles.ts";

/** Shows the plan whenever it has changed. */
export interface PlanView {
	/** It may have changed. */
	look(): void;
	/** Looks once more, and resolves when every change so far is shown. */
	seen(): Promise<void>;
	stop(): void;
}

/** The CLI says only that it has a plan, not what is in it; the files that it writes do. */
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
	/** A look that has begun may miss a later change; one still waiting will not. */
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

/** If the folder cannot be watched, the plan is read again whenever a call ends. */
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
