import assert from "node:assert/strict";
import { suite, test } from "mocha";
import { invokeTool, scriptedModel } from "./chat.ts";

suite("tools", () => {
	test("ask runs the whole agent", async () => {
		const model = await scriptedModel();
		model.play([{ say: "Twice a day." }]);
		const text = await invokeTool("copilot-ld_ask", { question: "How often is the fog signal tested?" });
		assert.match(text, /Twice a day\./);
	});
});
