import assert from "node:assert/strict";
import { suite, test } from "mocha";
import { invokeTool, scriptedModel } from "./chat.ts";

suite("tools", () => {
	test("read_resource reads what a citation names", async () => {
		const found = await invokeTool("copilot-ld_search_knowledge", { query: "fog signal", limit: 1 });
		const target = /\[([^\]\n]+:\d+(?:-\d+)?)\]/.exec(found)?.[1];
		const text = await invokeTool("copilot-ld_read_resource", { target });
		assert.match(text, /fog/i);
	});

	test("ask runs the whole agent", async () => {
		const model = await scriptedModel();
		model.play([{ say: "Twice a day." }]);
		const text = await invokeTool("copilot-ld_ask", { question: "How often is the fog signal tested?" });
		assert.match(text, /Twice a day\./);
	});
});
