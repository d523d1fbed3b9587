import { rulesByChannel } from "../../src/core/permission/permission.ts";
import { openStaticEmbedder } from "../../src/embed/builtIn/staticEmbedder.ts";
import { openSessions, type SessionStore } from "../../src/sessions/openSessions.ts";

/** Opens the sessions in a folder for a user with access to everything. */
export async function openHome(folder: string): Promise<SessionStore> {
	return openSessions({
		folder,
		embedder: await openStaticEmbedder("media/model"),
		reader: [{ source: "system", id: "bench", label: "bench" }],
		visibility: { rules: async () => rulesByChannel(() => []), sees: async () => true },
		onChange: () => undefined,
		onError: (thrown: unknown) => console.error(thrown),
	});
}
