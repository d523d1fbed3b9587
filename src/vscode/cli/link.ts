import { once } from "../../base/jobs/once.ts";
import type { CliEngine, CliLink, CliLinkDeps } from "./cliLink.ts";
import { createCliSessionMap } from "./sessionMap.ts";

export function createCliLink(deps: CliLinkDeps): CliLink {
	// Of all workspaces: the list of sessions shows all of them.
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
		find: async () => (await engine.get()).find(),
		steps: {
			kind: "cli",
			runnerFor: (step) =>
				async function* run(request, signal) {
					yield* (await engine.get()).steps.runnerFor(step)(request, signal);
				},
		},
		history: {
			list: async () => (await history()).list(),
			turns: async (id, signal) => (await history()).turns(id, signal),
			search: async (text, sessions, signal) => (await history()).search(text, sessions, signal),
			rename: async (id, title) => (await history()).rename(id, title),
			delete: async (id) => (await history()).delete(id),
			restore: async (id) => (await history()).restore(id),
		},
		runnerFor: (chat) =>
			async function* run(request, signal) {
				yield* (await engine.get()).runnerFor(chat)(request, signal);
			},
		signIn: async (question) => (await engine.get()).signIn(question),
		openChange: async (id) => (await engine.get()).openChange(id),
		showOutput: async (id) => (await engine.get()).showOutput(id),
		chooseOption: async (chat) => (await engine.get()).chooseOption(chat),
		choose: async (chat, wanted) => (await engine.get()).choose(chat, wanted),
		choices: async (chat) => (await engine.get()).choices(chat),
		startAhead: async () => (await engine.get()).startAhead(),
		commands: async () => (await engine.get()).commands(),
		pickSession: async () => (await engine.get()).pickSession(),
		dispose: () => void engine.peek()?.then((started) => started.dispose()),
	};
}
