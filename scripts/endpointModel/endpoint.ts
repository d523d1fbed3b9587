import { createModelServer } from "../../src/models/modelServer.ts";
import { readServerAddress } from "../../src/models/serverAddress.ts";
import { LIKELY_TOKENS } from "../../src/models/tokenEstimate.ts";
import type { SavedModel } from "../../src/vscode/models/savedModels.ts";

/** Options of `npm start` about a model. */
export interface EndpointOptions {
	readonly address: string;
	readonly name: string;
	/** The environment variable with the key. */
	readonly keyVariable: string | undefined;
}

/** The model that its extension reads from the environment; the key stays in its own variable. */
export interface Endpoint {
	readonly model: SavedModel;
	readonly keyVariable?: string;
}

export const ENDPOINT_VENDOR = "copilot-ld-endpoint";

const VARIABLE = "COPILOT_LD_ENDPOINT";

/** Finds the model on the server, and returns environment variables for its extension. Rejects if it is missing. */
export async function endpointVariables(
	{ address, name, keyVariable }: EndpointOptions,
	signal: AbortSignal,
): Promise<Record<string, string>> {
	const key = keyVariable === undefined ? undefined : process.env[keyVariable];
	if (keyVariable !== undefined && !key) throw new Error(`The variable ${keyVariable} is empty.`);
	const addresses = readServerAddress(address);
	// Only one of the addresses, with or without a version, lists models.
	const found = await Promise.any(addresses.map((one) => lookAt(one.base, name, key, signal))).catch(
		({ errors: [first] }: AggregateError) => {
			throw first;
		},
	);
	const endpoint: Endpoint = { model: found, ...(keyVariable !== undefined && { keyVariable }) };
	return { [VARIABLE]: JSON.stringify(endpoint) };
}

async function lookAt(
	base: string,
	name: string,
	key: string | undefined,
	signal: AbortSignal,
): Promise<SavedModel> {
	const server = createModelServer({ address: { base, origin: new URL(base).origin }, key });
	const models = await server.models(signal);
	const model = models.find((one) => one.name === name);
	if (!model)
		throw new Error(`${base} has no model "${name}". It has: ${models.map((one) => one.name).join(", ")}.`);
	const {
		contextTokens = LIKELY_TOKENS,
		canCallTools = true,
		canSeeImages = false,
	} = await server.describe(model, signal);
	return { base, name, contextTokens, canCallTools, canSeeImages };
}

export function readEndpoint(environment: NodeJS.ProcessEnv): Endpoint | undefined {
	const text = environment[VARIABLE];
	return text === undefined ? undefined : JSON.parse(text);
}
