import assert from "node:assert/strict";
import { test } from "node:test";
import type { Heard } from "../../../src/core/agent/agentEvent.ts";
import { createTurnQueue } from "../../../src/vscode/turn/turnQueue.ts";

function open() {
	const queue = createTurnQueue();
	const seen: string[] = [];
	const start = (name: string, { session = "s", engine = "model", words = "", listens = false } = {}) => {
		const [end, cancel] = [Promise.withResolvers<void>(), new AbortController()];
		let sendNow: () => void = () => assert.fail("It did not have to wait.");
		let heard: Heard | undefined;
		const over = queue.run(session, {
			...{ signal: cancel.signal, engine, ...(words && { words }) },
			onWait: (send) => {
				seen.push(`${name} waits`);
				sendNow = send;
			},
			action: async (either, steering) => {
				seen.push(`${name} begins`);
				if (listens) heard = steering.listen(() => undefined);
				either.addEventListener("abort", () => end.reject(either.reason));
				await end.promise;
				seen.push(`${name} ends`);
				return name;
			},
		});
		return { end, over, cancel, sendNow: () => sendNow(), heard: () => heard };
	};
	const acts = () => seen.filter((line) => !line.endsWith("waits")).join(", ");
	return { seen, acts, start };
}

test("a message that comes during a turn of its session waits for the turn's end, one of another session does not", async () => {
	const { seen, acts, start } = open();
	const [first, second, third] = ["1", "2", "3"].map((name) => start(name));
	for (const turn of [start("4", { session: "t" }), third, second, first]) turn?.end.resolve();
	await third?.over;
	assert.equal(acts(), "1 begins, 4 begins, 4 ends, 1 ends, 2 begins, 2 ends, 3 begins, 3 ends");
	const waits = seen.filter((line) => line.endsWith("waits"));
	assert.deepEqual(waits, ["2 waits", "3 waits"]);
});

test("a message that is sent now ends the turn at work, and goes before those that wait", async () => {
	const { acts, start } = open();
	const [first, second, third] = ["1", "2", "3"].map((name) => start(name));
	third?.sendNow();
	await assert.rejects(first?.over ?? Promise.resolve(), { name: "AbortError" });
	third?.end.resolve();
	second?.end.resolve();
	await second?.over;
	assert.equal(acts(), "1 begins, 3 begins, 3 ends, 2 begins, 2 ends");
});

/** One turn at work, and a message that is sent now meanwhile. */
function openSteered({ listens = true, engine = "model", words = "Be short." } = {}) {
	const { start } = open();
	const first = start("first", { listens });
	const second = start("second", { engine, words });
	second.end.resolve();
	second.sendNow();
	return { first, second };
}

test("a message that is sent now goes into a turn that listens, which is not ended", async () => {
	const { first, second } = openSteered();
	assert.deepEqual(first.heard()?.words(), ["Be short."]);
	first.heard()?.given(1);
	assert.equal(await second.over, undefined);
	assert.deepEqual(first.heard()?.words(), []);
	first.end.resolve();
	assert.equal(await first.over, "first");
});

test("words that nobody took along are a turn of their own, when the one before has ended", async () => {
	const { first, second } = openSteered();
	first.end.resolve();
	assert.deepEqual([await first.over, await second.over], ["first", "second"]);
});

test("words that are taken back reach no model", async () => {
	const { first, second } = openSteered();
	second.cancel.abort(new Error("taken back"));
	await assert.rejects(second.over, /taken back/);
	assert.deepEqual(first.heard()?.words(), []);
	first.end.resolve();
});

test("a message for a turn that cannot listen or is on another engine, or with more than words, ends the turn at work", async () => {
	for (const scene of [{ listens: false }, { engine: "cli" }, { words: "" }]) {
		const { first, second } = openSteered(scene);
		await assert.rejects(first.over, { name: "AbortError" });
		assert.equal(await second.over, "second");
	}
});

test("a message whose turn has come ends nothing when it is sent now", async () => {
	const { start } = open();
	const [first, second] = ["1", "2"].map((name) => start(name));
	first?.end.resolve();
	await first?.over;
	second?.sendNow();
	second?.end.resolve();
	await second?.over;
});
