import { Failure } from "../base/failure.ts";
import { judgeByModel } from "../knowledgeTests/judgeByModel.ts";
import type { TestPorts } from "../knowledgeTests/observe.ts";
import { createModelServer, type ModelServer } from "../models/modelServer.ts";
import { ModelTrouble } from "../models/modelTrouble.ts";
import { readServerAddress } from "../models/serverAddress.ts";
import type { ModelChoice } from "../protocol/mcpArguments.ts";

/** Lets a server's model judge criteria in words. Rejects where the server does not answer, or does not know the model. */
export async function openJudge(
	{ endpoint, name }: ModelChoice,
	key: string | undefined,
	signal: AbortSignal,
): Promise<NonNullable<TestPorts["judge"]>> {
	const server = await findServer(endpoint, { name, key }, signal);
	return judgeByModel(async (prompt, whileJudging) => {
		const request = { model: name, messages: [{ role: "user" as const, text: prompt }], tools: [] };
		let reply = "";
		for await (const part of server.respond(request, whileJudging))
			if (part.kind === "text") reply += part.text;
		return reply;
	});
}

/** Addresses are given with a version and without. */
async function findServer(
	endpoint: string,
	{ name, key }: { readonly name: string; readonly key: string | undefined },
	signal: AbortSignal,
): Promise<ModelServer> {
	const [address, other] = readServerAddress(endpoint);
	const server = createModelServer({ address, key });
	try {
		const models = await server.models(signal);
		if (models.length === 0 || models.some((model) => model.name === name)) return server;
		const names = models.map((model) => model.name).join(", ");
		throw new Failure("BAD_INPUT", `${address.base} has no model "${name}". It has: ${names}.`);
	} catch (thrown) {
		// A server may have no list, and know the model all the same.
		if (!(thrown instanceof ModelTrouble) || thrown.kind !== "modelUnknown") throw thrown;
		return other ? findServer(other.base, { name, key }, signal) : server;
	}
}
