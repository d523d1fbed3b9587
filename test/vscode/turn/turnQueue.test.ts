import assert from "node:assert/strict";
import { test } from "node:test";
import type { Heard } from "../../../src/core/agent/agentEvent.ts";
import { createTurnQueue } from "../../../src/vscode/turn/turnQueue.ts";

function open() {
	const queue = createTurnQueue();
	const seen: string[] = [];
	const start = (name: string, { session = "s", engine = "model", words = "", listens = false } = {}) => {
		const [end, cancel] = [Promise.withResolvers<void>(), new AbortController()];
		let sendNow: () => void = () => assert.fail("The message did not wait.");
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

test("a message during a turn waits until the turn ends, unless the message is for another session; “Send Now” changes no turn that has begun", async () => {
	const { seen, acts, start } = open();
	const [first, second, third] = ["1", "2", "3"].map((name) => start(name));
	for (const turn of [start("4", { session: "t" }), third, first]) turn?.end.resolve();
	await first?.over;
	await new Promise(setImmediate);
	second?.sendNow();
	second?.end.resolve();
	await third?.over;
	assert.equal(acts(), "1 begins, 4 begins, 4 ends, 1 ends, 2 begins, 2 ends, 3 begins, 3 ends");
	assert.deepEqual(seen.slice(1, 3), ["2 waits", "3 waits"]);
});

test("“Send Now” ends the running turn and puts the message before other waiting messages", async () => {
	const { acts, start } = open();
	const [first, second, third] = ["1", "2", "3"].map((name) => start(name));
	third?.sendNow();
	await assert.rejects(first?.over ?? Promise.resolve(), { name: "AbortError" });
	third?.end.resolve();
	second?.end.resolve();
	await second?.over;
	assert.equal(acts(), "1 begins, 3 begins, 3 ends, 2 begins, 2 ends");
});

/** Starts a turn, and sends a second message now. */
function openSteered({ listens = true, engine = "model", words = "Be short." } = {}) {
	const { start } = open();
	const first = start("first", { listens });
	const second = start("second", { engine, words });
	second.end.resolve();
	second.sendNow();
	return { first, second };
}

test("“Send Now” passes the message to a running turn that listens, and the turn continues", async () => {
	const { first, second } = openSteered();
	assert.deepEqual(first.heard()?.words(), ["Be short."]);
	first.heard()?.given(1);
	assert.equal(await second.over, undefined);
	assert.deepEqual(first.heard()?.words(), []);
	first.end.resolve();
	assert.equal(await first.over, "first");
});

test("a message that the running turn did not take becomes the next turn", async () => {
	const { first, second } = openSteered();
	first.end.resolve();
	assert.deepEqual([await first.over, await second.over], ["first", "second"]);
});

test("a canceled message never reaches the running turn", async () => {
	const { first, second } = openSteered();
	second.cancel.abort(new Error("taken back"));
	await assert.rejects(second.over, /taken back/);
	assert.deepEqual(first.heard()?.words(), []);
	first.end.resolve();
});

test("“Send Now” ends a turn that cannot take the message: not listening, another engine, or more than text", async () => {
	for (const scene of [{ listens: false }, { engine: "cli" }, { words: "" }]) {
		const { first, second } = openSteered(scene);
		await assert.rejects(first.over, { name: "AbortError" });
		assert.equal(await second.over, "second");
	}
});
