import { judgeByModel } from "../knowledgeTests/judgeByModel.ts";
import type { TestPorts } from "../knowledgeTests/observe.ts";
import type { ModelChoice } from "../protocol/mcpArguments.ts";
import { findServer } from "./client/findServer.ts";

/** Lets a server's model judge criteria in words. Rejects where the server does not answer, or does not know the model. */
export async function openJudge(
	choice: ModelChoice,
	key: string | undefined,
	signal: AbortSignal,
): Promise<NonNullable<TestPorts["judge"]>> {
	const { server, model } = await findServer(choice, key, signal);
	return judgeByModel(async (prompt, whileJudging) => {
		const request = { model: model.name, messages: [{ role: "user" as const, text: prompt }], tools: [] };
		let reply = "";
		for await (const part of server.respond(request, whileJudging))
			if (part.kind === "text") reply += part.text;
		return reply;
	});
}
