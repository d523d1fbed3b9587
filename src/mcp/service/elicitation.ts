import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { type ElicitResult, McpError } from "@modelcontextprotocol/sdk/types.js";
import { createMutex } from "../../base/jobs/mutex.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import type { PermissionRequest } from "../../core/permission/permission.ts";
import type { AskPerson, PersonsAnswer } from "../../permissions/decide.ts";

/** Milliseconds to wait for the user, who may be away. */
const PATIENCE_MS = 10 * 60_000;

/** Maximum characters of a question. A client might hide a part of a longer question, so none is asked. */
const MOST_CHARACTERS = 8000;

/** Asks the user through the client, one question at a time. If the client cannot ask, the answer is `undefined`. */
export function askByElicitation(clientNow: () => Server): AskPerson {
	const line = createMutex();
	return (question, signal) =>
		line.run(async () => {
			signal.throwIfAborted();
			const message = wordsFor(question.request);
			const canAsk = clientNow().getClientCapabilities()?.elicitation?.form !== undefined;
			if (!canAsk || message.length > MOST_CHARACTERS) return undefined;
			// The answer to the previous question may have decided this one.
			if (!(await question.isOpen())) return { kind: "ruled" };
			return toAnswer(await elicit(clientNow(), message, signal));
		});
}

function toAnswer(answer: ElicitResult | undefined): PersonsAnswer | undefined {
	if (!answer || answer.action === "cancel") return undefined;
	return answer.action === "accept" && answer.content?.["allow"] === true
		? { kind: "once" }
		: { kind: "deny" };
}

async function elicit(client: Server, message: string, signal: AbortSignal) {
	const allow = { type: "boolean", title: "Allow it, this once", default: false } as const;
	const requestedSchema = { type: "object" as const, properties: { allow }, required: ["allow"] };
	try {
		return await client.elicitInput({ message, requestedSchema }, { signal, timeout: PATIENCE_MS });
	} catch (thrown) {
		signal.throwIfAborted();
		// If the client cannot ask, or the question times out, the call is not allowed.
		if (thrown instanceof McpError) return undefined;
		throw thrown;
	}
}

/** Lists all arguments, because the title may be shortened. */
function wordsFor({ agent, tool, title, arguments: named }: PermissionRequest): string {
	const who = agent === undefined ? "Copilot-LD" : `The agent ${agent}`;
	const all = named.flatMap(({ value }) => (title.includes(value) ? [] : [value]));
	return [`${who} wants to use ${tool}: ${title}`, ...all].map(visibleText).join("\n");
}
