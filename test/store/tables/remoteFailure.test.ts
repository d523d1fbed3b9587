import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { openStore } from "../../../src/store/openStore.ts";
import { portOf } from "../../support/listening.ts";

/** Opens as the worker does; what is broken is told by the first question. */
async function ask(folder: string, storageOptions: Record<string, string> = {}): Promise<unknown> {
	const store = await openStore({ folder, storageOptions, embedder: undefined });
	return store.documents();
}

const VARIABLE = /COPILOT_LD_STORAGE_CREDENTIALS/;

/** None of these needs a network, so that it fails at once. */
const LACKING = [
	["az://team/index", {}, [/"account_name"/, /account_key=…/, VARIABLE]],
	["az://team/index", { account_name: "acme", account_key: "bm9=" }, [/account_key=…/, VARIABLE]],
	["db://team", {}, [/"region"/, /api_key=…/, VARIABLE]],
	["gs://team/index", { google_service_account: "/nowhere/key.json" }, [/path of a readable key file/]],
] as const;

for (const [folder, options, says] of LACKING)
	test(`${folder} with ${JSON.stringify(options)} says what it needs, and where to give it`, async () => {
		await assert.rejects(ask(folder, options), (thrown: Error & { code: string }) => {
			assert.equal(thrown.code, "ENDPOINT_FAILED");
			for (const words of [/copilot-LD\.storage\.options/, /credentials/, ...says])
				assert.match(thrown.message, words);
			assert.ok(!thrown.message.includes("bm9="));
			return true;
		});
	});

test("an address that takes the connection and never answers does not keep anybody waiting for minutes", async (t) => {
	const server = createServer((socket) => socket.on("error", () => undefined));
	const endpoint = `http://127.0.0.1:${await portOf(t, server)}`;
	t.mock.timers.enable({ apis: ["setTimeout"] });
	const connected = once(server, "connection");
	const keys = { access_key_id: "a", secret_access_key: "b", client_max_retries: "0" };
	const storageOptions = { endpoint, allow_http: "true", region: "eu-west-3", ...keys };
	const message = /did not answer within 15 s.*"region".*secret_access_key=…/;
	const asking = assert.rejects(ask("s3://team/index", storageOptions), { code: "ENDPOINT_FAILED", message });
	const [socket] = await connected;
	const [request] = await once(socket, "data");
	assert.match(String(request), /Credential=a\/\d+\/eu-west-3\/s3\//, "the region is that of the options");
	t.mock.timers.tick(15_000);
	await asking;
	server.close();
	socket.destroy();
});
