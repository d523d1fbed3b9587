import { Failure } from "../../base/failure.ts";
import type { SessionError } from "../stored/sessionErrors.ts";

const REMEDIES: Readonly<Record<string, string>> = {
	rate_limit: "The model's server has had too many requests. Wait a minute and ask again.",
	quota: "The quota of the model is exhausted.",
	authentication: "The model's server did not accept the sign-in of the GitHub Copilot CLI. Sign in again.",
	authorization: "The model's server does not allow this for the account of the GitHub Copilot CLI.",
};

/** Why the model behind the agent gave no answer, in words that say what to do. */
export function modelFailure(line: string, written: SessionError | undefined): Failure {
	const words = line.trim() || written?.message || "It gave no reason.";
	const remedy = REMEDIES[written?.type ?? ""] ?? "Ask again, or go on with the model of VS Code.";
	return new Failure("MODEL_FAILED", `The model of the GitHub Copilot CLI failed. ${remedy} (${words})`);
}
