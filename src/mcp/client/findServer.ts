import { Failure } from "../../base/failure.ts";
import { SECRET_VARIABLES } from "../../core/knowledge/secretVariables.ts";
import { createModelServer, type ModelServer, type OfferedModel } from "../../models/modelServer.ts";
import { readServerAddress } from "../../models/serverAddress.ts";
import { type FixSteps, ModelTrouble } from "../../models/troubleOf.ts";
import type { ModelChoice } from "../../protocol/worker.ts";

interface Found {
	readonly server: ModelServer;
	/** The model, as far as the server describes it. */
	readonly model: OfferedModel;
}

const ON_COMMAND_LINE: FixSteps = {
	address: "start the program with another --model-endpoint",
	key: `set the variable ${SECRET_VARIABLES.model}, and start the program again`,
	model: "start the program with another --model",
	limits: "start the program with a larger --agents-answer-tokens or --agents-answer-timeout",
};
/**
 * The server of a model. Rejects if it does not answer, or does not know the model. Accepts addresses with and without
 * a version.
 */
export async function findServer(
	{ endpoint, name }: ModelChoice,
	key: string | undefined,
	signal: AbortSignal,
): Promise<Found> {
	const [address, other] = readServerAddress(endpoint);
	const server = createModelServer({ address, key, steps: ON_COMMAND_LINE });
	try {
		const models = await server.models(signal);
		const model = models.find((one) => one.name === name);
		if (models.length === 0 || model) return { server, model: model ?? { name } };
		const names = models.map((one) => one.name).join(", ");
		throw new Failure("BAD_INPUT", `${address.base} has no model "${name}". It has: ${names}.`);
	} catch (thrown) {
		// A server may have no list, and know the model all the same.
		if (!(thrown instanceof ModelTrouble) || thrown.kind !== "modelUnknown") throw thrown;
		return other ? findServer({ endpoint: other.base, name }, key, signal) : { server, model: { name } };
	}
}
