import assert from "node:assert/strict";
import { setup, suite, test } from "mocha";
import * as vscode from "vscode";
import { formatCitation } from "../../src/core/knowledge/citation.ts";
import { ask, openNewChat, scriptedModel } from "./chat.ts";
import { look } from "./testReport.ts";

const VENDOR = "copilot-ld-passages";

suite("Passages", () => {
	setup(openNewChat);

	test("is a model in the picker that lets @copilot-ld answer without any other model", async () => {
		const [model] = await vscode.lm.selectChatModels({ vendor: VENDOR });
		assert.equal(model?.name, "Passages (no language model)");
		const { metadata } = await ask("Does the Service have a helicopter?", VENDOR);
		assert.match(metadata?.answer ?? "", /We have no helicopter/);
		assert.deepEqual(metadata?.citations.map(formatCitation), ["[handbook/keepers-handbook.md:61]"]);
		assert.match((await look("passagesSentence"))?.text ?? "", /without a language model/);
	});

	test("answers instead of a missing model, with a notice", async () => {
		const model = await scriptedModel();
		model.play([{ fail: "NotFound" }]);
		const { metadata, errorDetails } = await ask("When are the fog horns tested?");
		assert.equal(errorDetails, undefined);
		assert.match(metadata?.answer ?? "", /last Tuesday of September/);
		assert.match((await look("passagesInPlace"))?.text ?? "", /no longer available/);
	});
});
