import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { createDoorRunner, type DoorParts } from "../../agent/loop/doorRunner.ts";
import type { Runner } from "../../core/agent/agentEvent.ts";
import { createSamplingModel } from "./samplingModel.ts";

interface SamplingPorts extends Omit<DoorParts, "model" | "door" | "maxRounds"> {
	readonly client: Pick<Server, "createMessage">;
	/** The model that is wanted. */
	readonly wanted?: string | undefined;
}

/** The client's person may be asked about each. */
const ROUNDS = 6;

/** The agent loop on the client's model. */
export function createSamplingRunner({ client, wanted, ...parts }: SamplingPorts): Runner {
	return createDoorRunner({
		...parts,
		model: createSamplingModel(client, wanted),
		door: "mcp",
		maxRounds: ROUNDS,
	});
}
