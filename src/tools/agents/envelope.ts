import * as z from "zod";
import { Failure, type FailureCode, isFailure } from "../../base/failure.ts";
import { fieldOf } from "../../base/values.ts";
import type { AgentEvent } from "../../core/agent/agentEvent.ts";
import type { ToolContext, ToolResult } from "../../core/agent/tool.ts";

const CODES: Readonly<Partial<Record<FailureCode, string>>> = {
	NOT_FOUND: "AGENT_NOT_FOUND",
	BAD_INPUT: "INVALID_PROMPT",
	CLI_MISSING: "CLI_NOT_AVAILABLE",
	CLI_OLD: "CLI_NOT_AVAILABLE",
	CLI_SIGN_IN: "CLI_NOT_AVAILABLE",
	CLI_STOPPED: "CLI_NOT_AVAILABLE",
	NO_MODEL: "CLI_NOT_AVAILABLE",
};

export class AgentTimeout extends Failure {
	constructor(message: string) {
		super("CLI_FAILED", message);
	}
}

export function envelopeOf(data: z.ZodRawShape) {
	return z.object({
		status: z.enum(["success", "error"]),
		data: z.object(data).optional(),
		error: z
			.object({ code: z.string(), message: z.string(), details: z.looseObject({}).optional() })
			.optional(),
		executionTime: z.string().describe("As in 5.234s.").optional(),
		timestamp: z.string().describe("ISO 8601."),
	});
}

const STOPPED = {
	code: "ORCHESTRATION_FAILED",
	message: "The chain did not finish: the outcomes of its steps and the end of finalOutput say why.",
} as const;

/** Runs a tool's body. Returns results and failures in the JSON envelope of CoPilot OS. */
export async function inEnvelope(
	{ signal }: ToolContext,
	body: (executionTime: () => string) => Promise<object>,
): Promise<ToolResult> {
	const startedMs = performance.now();
	const executionTime = () => `${((performance.now() - startedMs) / 1000).toFixed(3)}s`;
	const timestamp = () => new Date().toISOString();
	try {
		const data = await body(executionTime);
		const isStopped = fieldOf(data, "outcome") === "stopped";
		const ended = isStopped ? { status: "error", data, error: STOPPED } : { status: "success", data };
		const structured = { ...ended, executionTime: executionTime(), timestamp: timestamp() };
		return { text: JSON.stringify(structured, undefined, 2), structured };
	} catch (thrown) {
		if (signal.aborted || !isFailure(thrown)) throw thrown;
		const code =
			thrown instanceof AgentTimeout ? "EXECUTION_TIMEOUT" : (CODES[thrown.code] ?? "ORCHESTRATION_FAILED");
		const error = { code, message: thrown.message, details: { executionTime: executionTime() } };
		const words = JSON.stringify({ status: "error", error, timestamp: timestamp() }, undefined, 2);
		throw new Failure(thrown.code, words, { cause: thrown });
	}
}

export function tellSteps({ report }: ToolContext): (event: AgentEvent) => void {
	return (event) => {
		if (event.kind === "stepStarted") report?.(`${event.agent} is at work`);
		if (event.kind === "stepFinished") report?.(`${event.agent}: ${event.outcome}`);
	};
}
