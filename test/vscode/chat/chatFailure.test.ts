import assert from "node:assert/strict";
import { test } from "node:test";
import { Failure } from "../../../src/base/failure.ts";
import { failTurn } from "../../../src/vscode/chat/chatFailure.ts";
import { CancellationError, LanguageModelError } from "../../support/fakeVscode.ts";

function end(thrown: unknown, question = "") {
	const buttons: string[] = [];
	const stream = { button: ({ title }: { title: string }) => buttons.push(title) };
	const log = { error: () => undefined };
	const fail = failTurn as (...args: unknown[]) => ReturnType<typeof failTurn>;
	const result = fail(thrown, stream, log, question);
	return { message: result.errorDetails?.message, buttons };
}

test("a cancelled turn says nothing", () => {
	assert.deepEqual(end(new CancellationError()), { message: undefined, buttons: [] });
});

test("a failure says what to do, and offers it", () => {
	const ended = end(new Failure("NO_FOLDER", "Open a folder first."));
	assert.deepEqual(ended, { message: "Open a folder first.", buttons: ["Open Folder"] });
});

for (const name of ["ChatQuotaExceeded", "ChatRateLimited"])
	test(`${name} reaches VS Code as it is, also as the cause of another error`, () => {
		const limit = Object.assign(new Error("Enough for today."), { name });
		assert.throws(() => end(limit), limit);
		const wrapped = new Error("The request failed.", { cause: limit });
		assert.throws(() => end(wrapped), wrapped);
	});

for (const [code, words] of [
	["NotFound", /no longer available.*model picker/],
	["NoPermissions", /not allowed to use.*Allow it/],
	["Blocked", /refused the request: because/],
	["Unknown", /failed: because.*Ask again/],
] as const)
	test(`a model that answers ${code} is told of in words that say what to do`, () => {
		assert.match(end(new LanguageModelError(code, "because")).message ?? "", words);
	});

test("a question that a model failed to answer can be answered without one", () => {
	const failed = Object.assign(new Error("http://localhost:1 cannot be reached."), { name: "Failure" });
	for (const thrown of [failed, new Failure("MODEL_FAILED", "Offline."), new LanguageModelError("x", "y")])
		assert.deepEqual(end(thrown, "Who?").buttons, ["Answer Without a Model"]);
	assert.deepEqual([...end(failed).buttons, ...end(new Error("no"), "Who?").buttons], []);
});

test("anything else is told of too", () => {
	assert.equal(end(new Error("The moon fell.")).message, "That did not work: The moon fell.");
});
