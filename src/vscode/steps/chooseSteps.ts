import { l10n } from "vscode";
import { Failure, isFailure } from "../../base/failure.ts";
import type { StepEngine } from "../../core/agent/stepEngine.ts";

export interface StepEngines {
	/** `auto` takes the CLI if it is there. */
	readonly wanted: "auto" | "cli" | "model";
	readonly cli: StepEngine;
	/** Rejects with a `Failure` if the CLI is not there, or too old. */
	findCli(): Promise<void>;
	/** Our own loop; rejects with NO_MODEL if there is no language model. */
	model(): Promise<StepEngine>;
}

/** What the steps of a chain run on. Rejects with a `Failure` that tells what to install if there is nothing. */
export async function chooseSteps({ wanted, cli, findCli, model }: StepEngines): Promise<StepEngine> {
	if (wanted === "model") return model();
	const missing = await missingOf(findCli);
	if (!missing) return cli;
	if (wanted === "cli") throw missing;
	try {
		return await model();
	} catch (thrown) {
		if (!isFailure(thrown) || thrown.code !== "NO_MODEL") throw thrown;
		const words = `${missing.message} ${l10n.t("Without it, agents run on a language model of VS Code, but none is available.")}`;
		throw new Failure(missing.code, words, { cause: missing });
	}
}

async function missingOf(findCli: () => Promise<void>): Promise<Failure | undefined> {
	try {
		await findCli();
		return undefined;
	} catch (thrown) {
		if (isFailure(thrown) && (thrown.code === "CLI_MISSING" || thrown.code === "CLI_OLD")) return thrown;
		throw thrown;
	}
}
