import { delimiter, join } from "node:path";
import {
	type ScriptedModelServer,
	type ScriptedReply,
	type SeenRequest,
	startModelServer,
} from "../acp/scriptedModelServer.ts";

let reply: (seen: SeenRequest) => ScriptedReply = () => ({ text: ["…"] });
let started: Promise<ScriptedModelServer> | undefined;

/** Scripts the model behind the Copilot CLI. Once started, the CLI asks the same server in every suite. */
export function scriptCliModel(answer: typeof reply): Promise<ScriptedModelServer> {
	reply = answer;
	started ??= start();
	return started;
}

/** Starts the server, which ends with the process. */
async function start(): Promise<ScriptedModelServer> {
	const server = await startModelServer({ after: () => undefined }, (seen) => reply(seen));
	const root = process.env["COPILOT_LD_ROOT"] ?? "";
	const program = join(root, `node_modules/@github/copilot-${process.platform}-${process.arch}`);
	Object.assign(process.env, server.env, { PATH: `${program}${delimiter}${process.env["PATH"]}` });
	return server;
}
