import { RequestError } from "@agentclientprotocol/sdk";
import { Failure, isFailure, messageOf } from "../../base/failure.ts";

const AUTH_REQUIRED = -32000;
const NOT_FOUND = -32002;

/** An agent's error, reworded to say what to do. */
export function toFailure(thrown: unknown): Failure {
	if (isFailure(thrown)) return thrown;
	const options = { cause: thrown };
	if (!(thrown instanceof RequestError))
		return new Failure(
			"CLI_FAILED",
			`The connection to the GitHub Copilot CLI was lost: ${messageOf(thrown)}`,
			options,
		);
	const words = wordsOf(thrown);
	if (thrown.code === AUTH_REQUIRED)
		return new Failure("CLI_SIGN_IN", "Sign in to the GitHub Copilot CLI first, then ask again.", options);
	if (thrown.code === NOT_FOUND || /^Session \S+ not found/.test(words))
		return new Failure("NOT_FOUND", "The GitHub Copilot CLI no longer has this session.", options);
	if (/is already loaded/.test(words))
		return new Failure("BUSY", "The GitHub Copilot CLI has this session open already.", options);
	return new Failure("CLI_FAILED", `The GitHub Copilot CLI refused: ${words}`, options);
}

/** An error's details are more often in its data than in its message. */
function wordsOf({ message, data }: RequestError): string {
	if (typeof data === "string") return data;
	const details = typeof data === "object" && data !== null && "details" in data ? data.details : undefined;
	return typeof details === "string" ? details : message;
}
