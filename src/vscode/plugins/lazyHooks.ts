import * as vscode from "vscode";
import { withSteps } from "../../agent/call/toolCall.ts";
import { once } from "../../base/jobs/lazily.ts";
import type { HookSaid, Tool, TurnHooks } from "../../core/agent/tool.ts";
import type { Permissions } from "../../core/permission/permission.ts";
import { admission } from "../../permissions/admission.ts";
import { workspaceUri } from "../folders.ts";
import type { LivePlugins } from "./livePlugins.ts";

const NOTHING: HookSaid = { context: [], notices: [] };

/** Decides on each call of some tools in a session by the rules alone: hooks run automatically, so the user is not asked. */
type Admit = (tools: readonly Tool[], session: string | undefined) => readonly Tool[];

/** The hooks of plugins: none in an untrusted folder. Their code is loaded only if a plugin has hooks. */
export function lazyHooks(
	{ registry }: LivePlugins,
	permissions: Permissions,
	load: (admit: Admit) => Promise<TurnHooks>,
): TurnHooks {
	const hooks = once(() =>
		load((tools, session) => {
			const from = { door: "tools", workspace: workspaceUri() } as const;
			const admit = admission(permissions, session === undefined ? from : { ...from, session });
			return withSteps(tools, { admit });
		}),
	);
	const run = async (signal: AbortSignal, say: (loaded: TurnHooks) => Promise<HookSaid>) => {
		if (!vscode.workspace.isTrusted) return NOTHING;
		const { plugins } = await registry(signal);
		return plugins.some((plugin) => plugin.hooks.length > 0) ? say(await hooks.get()) : NOTHING;
	};
	return {
		prompt: (asked, signal) => run(signal, (loaded) => loaded.prompt(asked, signal)),
		before: (call, signal) => run(signal, (loaded) => loaded.before(call, signal)),
		after: (call, signal) => run(signal, (loaded) => loaded.after(call, signal)),
		end: (asked, signal) => run(signal, (loaded) => loaded.end(asked, signal)),
	};
}
