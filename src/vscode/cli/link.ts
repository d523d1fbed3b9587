import { lazily, once } from "../../base/jobs/lazily.ts";
import { registerEach } from "../registerEach.ts";
import { chooseCliCommand } from "./cliAnswer.ts";
import type { CliLinkDeps } from "./engine.ts";
import { createCliSessionMap } from "./sessionMap.ts";

/** The Copilot CLI, and its commands. The first use loads its engine. */
export function createCliLink(deps: CliLinkDeps) {
	// All workspaces': the list of sessions shows all of them.
	const chats = createCliSessionMap(deps.context.globalState);
	const engine = once(async () => (await import("./engine.ts")).createCliEngine(deps, chats));
	const link = lazily(engine.get, {
		chats: chats.all,
		bind: chats.set,
		engine: engine.get,
		history: lazily(async () => (await engine.get()).history),
		dispose: () => {
			commands.dispose();
			void engine.peek()?.then((started) => started.dispose());
		},
	});
	const commands = registerEach<[target?: unknown]>(
		{
			"copilot-ld.signInToCli": link.signIn,
			"copilot-ld.openCliChange": link.openChange,
			"copilot-ld.showCliOutput": link.showOutput,
			"copilot-ld.chooseCliOption": link.chooseOption,
			"copilot-ld.chooseCliCommand": () => chooseCliCommand(link),
		},
		deps.log,
	);
	return link;
}
