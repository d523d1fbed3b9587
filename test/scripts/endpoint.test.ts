import assert from "node:assert/strict";
import { test } from "node:test";
import { endpointVariables, readEndpoint } from "../../scripts/endpointModel/endpoint.ts";
import { argumentsFor } from "../../scripts/vscode/server.ts";
import { json, scriptedServer } from "../models/scriptedServer.ts";

const { signal } = new AbortController();

test("the model of an endpoint is looked up before VS Code starts", async (t) => {
	const { origin, pages } = await scriptedServer(t);
	pages.set("/inference/v1/models", json({ data: [{ id: "tiny", max_model_len: 16_384 }] }));
	const options = { address: `${origin}/inference`, name: "tiny", keyVariable: undefined };
	assert.deepEqual(readEndpoint(await endpointVariables(options, signal)), {
		model: {
			base: `${origin}/inference/v1`,
			name: "tiny",
			contextTokens: 16_384,
			canCallTools: true,
			canSeeImages: false,
		},
	});
	await assert.rejects(
		endpointVariables({ ...options, name: "large" }, signal),
		/does not list|has no model "large"/,
	);
});

test("the key goes only to the endpoint; VS Code gets the name of its variable", async (t) => {
	process.env["TEST_ENDPOINT_KEY"] = "sk-secret";
	t.after(() => delete process.env["TEST_ENDPOINT_KEY"]);
	const { origin, asked } = await scriptedServer(t, { id: "tiny" });
	const options = { address: origin, name: "tiny", keyVariable: "TEST_ENDPOINT_KEY" };
	const variables = await endpointVariables(options, signal);
	assert.doesNotMatch(JSON.stringify(variables), /sk-secret/);
	assert.equal(readEndpoint(variables)?.keyVariable, "TEST_ENDPOINT_KEY");
	assert.equal(asked[0]?.headers.authorization, "Bearer sk-secret");
	await assert.rejects(
		endpointVariables({ ...options, keyVariable: "TEST_NO_KEY" }, signal),
		/TEST_NO_KEY is empty/,
	);
});

test("only tests get the smoke test driver, under which VS Code hides messages and progress", () => {
	const options = { program: "server-main.js", dataFolder: "data", extensionsFolder: "extensions" };
	const driver = "--enable-smoke-test-driver";
	assert.ok(!argumentsFor(options, "token", 0).includes(driver));
	assert.ok(argumentsFor({ ...options, isTest: true }, "token", 0).includes(driver));
});
