import { lateMethods, once } from "../../base/jobs/once.ts";
import type { CliEngine, CliLink, CliLinkDeps } from "./cliLink.ts";
import { createCliSessionMap } from "./sessionMap.ts";

export function createCliLink(deps: CliLinkDeps): CliLink {
	// All workspaces': the list of sessions shows all of them.
	const chats = createCliSessionMap(deps.context.globalState);
	let loaded: CliEngine | undefined;
	const engine = once(async (): Promise<CliEngine> => {
		const { createCliEngine } = await import("./engine.ts");
		loaded = createCliEngine(deps, chats);
		return loaded;
	});
	const history = async () => (await engine.get()).history;
	return {
		chats: chats.all,
		bind: chats.set,
		hasCommand: (chat, tool) => loaded?.hasCommand(chat, tool) ?? false,
		steps: {
			kind: "cli",
			runnerFor: (step) =>
				async function* run(request, signal) {
					yield* (await engine.get()).steps.runnerFor(step)(request, signal);
				},
		},
		history: lateMethods(history, "list", "turns", "search", "rename", "delete", "restore"),
		runnerFor: (chat) =>
			async function* run(request, signal) {
				yield* (await engine.get()).runnerFor(chat)(request, signal);
			},
		...lateMethods(engine.get, "find", "signIn", "openChange", "showOutput", "startAhead", "pickSession"),
		...lateMethods(engine.get, "chooseOption", "choose", "choices", "commands"),
		dispose: () => void engine.peek()?.then((started) => started.dispose()),
	};
}
