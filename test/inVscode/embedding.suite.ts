import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { suite, suiteTeardown, test } from "mocha";
import * as vscode from "vscode";
import { invokeTool } from "./chat.ts";

const settings = () => vscode.workspace.getConfiguration("copilot-ld");

suite("the embedding settings", () => {
	suiteTeardown(async () => {
		for (const name of ["provider", "options"])
			await settings().update(`embedding.${name}`, undefined, vscode.ConfigurationTarget.Global);
	});

	test("after a change of the model the worker asks the new endpoint, without another command", async () => {
		await invokeTool("copilot-ld_search_knowledge", { query: "fog signal" });
		const { promise: asked, resolve } = Promise.withResolvers<string>();
		const server = createServer(async (request, response) => {
			const { model, input } = JSON.parse((await request.setEncoding("utf8").toArray()).join(""));
			resolve(model);
			const data = input.map((text: string, index: number) => ({ index, embedding: [1, text.length] }));
			response.setHeader("content-type", "application/json").end(JSON.stringify({ data }));
		});
		await once(server.listen(0, "127.0.0.1"), "listening");
		const address = server.address();
		const port = typeof address === "object" ? address?.port : 0;
		const update = (name: string, value: string | object) =>
			settings().update(`embedding.${name}`, value, vscode.ConfigurationTarget.Global);
		await update("options", { endpoint: `http://127.0.0.1:${port}/v1`, model: "words" });
		await update("provider", "openai-compatible");
		assert.equal(await asked, "words");
		assert.match(await invokeTool("copilot-ld_search_knowledge", { query: "fog signal" }), /\[[^\]\n]+:\d+/);
		server.close();
		server.closeAllConnections();
	});
});
