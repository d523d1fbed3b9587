import { l10n } from "vscode";
import { Failure, isFailure } from "../../base/failure.ts";
import type { StepEngine } from "../../core/agent/tool.ts";

interface OfferedEngines {
	readonly cli: {
		/** Rejects with a `Failure` if the CLI is missing, or too old. */
		find(): Promise<void>;
		engine(): Promise<{ readonly steps: StepEngine }>;
	};
	/** Our own loop, on the model of the chat that asks; rejects with NO_MODEL if there is no language model. */
	model(origin: unknown): Promise<StepEngine>;
}

/** `auto` takes the CLI if it is there. Rejects with a `Failure` that says what to install if nothing is. */
export async function chooseSteps(
	wanted: "auto" | "cli" | "model",
	{ cli, model }: OfferedEngines,
	origin?: unknown,
): Promise<StepEngine> {
	if (wanted === "model") return model(origin);
	const missing = await cli.find().then(() => undefined, missingCli);
	if (!missing) return (await cli.engine()).steps;
	if (wanted === "cli") throw missing;
	try {
		return await model(origin);
	} catch (thrown) {
		if (!isFailure(thrown) || thrown.code !== "NO_MODEL") throw thrown;
		const words = `${missing.message} ${l10n.t("Without it, agents run on a language model of VS Code, but none is available.")}`;
		throw new Failure(missing.code, words, { cause: missing });
	}
}

/** The failure if the CLI is missing or too old; throws any other. */
function missingCli(thrown: unknown): Failure {
	if (isFailure(thrown) && (thrown.code === "CLI_MISSING" || thrown.code === "CLI_OLD")) return thrown;
	throw thrown;
}
