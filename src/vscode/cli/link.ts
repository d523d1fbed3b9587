import { lazily, once } from "../../base/jobs/lazily.ts";
import type { CliLink, CliLinkDeps } from "./cliLink.ts";
import { createCliSessionMap } from "./sessionMap.ts";

export function createCliLink(deps: CliLinkDeps): CliLink {
	// All workspaces': the list of sessions shows all of them.
	const chats = createCliSessionMap(deps.context.globalState);
	const engine = once(async () => (await import("./engine.ts")).createCliEngine(deps, chats));
	return lazily(engine.get, {
		chats: chats.all,
		bind: chats.set,
		engine: engine.get,
		history: lazily(async () => (await engine.get()).history),
		dispose: () => void engine.peek()?.then((started) => started.dispose()),
	});
}
