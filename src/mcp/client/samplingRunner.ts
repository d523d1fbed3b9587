import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { createDoorRunner, type DoorParts } from "../../agent/loop/doorRunner.ts";
import type { Model } from "../../agent/ports.ts";
import type { Runner } from "../../core/agent/agentEvent.ts";
import { createSamplingModel } from "./samplingModel.ts";

type Parts = Omit<DoorParts, "model" | "door" | "maxRounds">;

interface SamplingPorts extends Parts {
	readonly client: Pick<Server, "createMessage">;
	/** The model that is wanted. */
	readonly wanted?: string | undefined;
}

/** The client's person may be asked about each, and a server may cost something. */
const ROUNDS = 6;

/** The agent loop on the client's model. */
export function createSamplingRunner({ client, wanted, ...parts }: SamplingPorts): Runner {
	return createModelRunner({ ...parts, model: createSamplingModel(client, wanted) });
}

/** The agent loop on a model that this program has. */
export function createModelRunner(parts: Parts & { readonly model: Model }): Runner {
	return createDoorRunner({ ...parts, door: "mcp", maxRounds: ROUNDS });
}
