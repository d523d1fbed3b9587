import assert from "node:assert/strict";
import { test } from "node:test";
import type { Heard } from "../../../src/core/agent/agentEvent.ts";
import { createTurnQueue } from "../../../src/vscode/turn/turnQueue.ts";

function open() {
	const queue = createTurnQueue();
	const seen: string[] = [];
	const start = (session: string, name: string) => {
		const end = Promise.withResolvers<void>();
		let sendNow: () => void = () => assert.fail("It did not have to wait.");
		const over = queue.run(session, {
			...{ signal: new AbortController().signal, engine: "model" },
			onWait: (send) => {
				seen.push(`${name} waits`);
				sendNow = send;
			},
			action: async (either) => {
				seen.push(`${name} begins`);
				either.addEventListener("abort", () => end.reject(either.reason));
				await end.promise;
				seen.push(`${name} ends`);
			},
		});
		return { end, over, sendNow: () => sendNow() };
	};
	const acts = () => seen.filter((line) => !line.endsWith("waits")).join(", ");
	return { seen, acts, start };
}

test("a message that comes during a turn of its session waits for the turn's end, one of another session does not", async () => {
	const { seen, acts, start } = open();
	const [first, second, third] = ["1", "2", "3"].map((name) => start("s", name));
	for (const turn of [start("t", "4"), third, second, first]) turn?.end.resolve();
	await third?.over;
	assert.equal(acts(), "1 begins, 4 begins, 4 ends, 1 ends, 2 begins, 2 ends, 3 begins, 3 ends");
	const waits = seen.filter((line) => line.endsWith("waits"));
	assert.deepEqual(waits, ["2 waits", "3 waits"]);
});

test("a message that is sent now ends the turn at work, and goes before those that wait", async () => {
	const { acts, start } = open();
	const [first, second, third] = ["1", "2", "3"].map((name) => start("s", name));
	third?.sendNow();
	await assert.rejects(first?.over ?? Promise.resolve(), { name: "AbortError" });
	third?.end.resolve();
	second?.end.resolve();
	await second?.over;
	assert.equal(acts(), "1 begins, 3 begins, 3 ends, 2 begins, 2 ends");
});

/** One turn at work, which listens or does not, and a message that comes meanwhile. */
function openSteered({ listens = true, engine = "model", isPlain = true } = {}) {
	const queue = createTurnQueue();
	const end = Promise.withResolvers<void>();
	let heard: Heard | undefined;
	const first = queue.run("s", {
		...{ signal: new AbortController().signal, engine: "model", onWait: () => undefined },
		action: async (either, steering) => {
			if (listens) heard = steering.listen(() => undefined);
			either.addEventListener("abort", () => end.reject(either.reason));
			await end.promise;
			return "first";
		},
	});
	const cancel = new AbortController();
	const second = queue.run("s", {
		...{ signal: cancel.signal, engine, ...(isPlain && { words: "Be short." }) },
		// It waits from the beginning, since the first one is at work.
		onWait: (sendNow) => sendNow(),
		action: async () => "second",
	});
	return { first, second, end, cancel, heard: () => heard };
}

test("a message that is sent now goes into a turn that listens, which is not ended", async () => {
	const { first, second, end, heard } = openSteered();
	assert.deepEqual(heard()?.words(), ["Be short."]);
	heard()?.given(1);
	assert.equal(await second, undefined);
	assert.deepEqual(heard()?.words(), []);
	end.resolve();
	assert.equal(await first, "first");
});

test("words that nobody took along are a turn of their own, when the one before has ended", async () => {
	const { first, second, end } = openSteered();
	end.resolve();
	assert.deepEqual([await first, await second], ["first", "second"]);
});

test("words that are taken back reach no model", async () => {
	const { second, end, cancel, heard } = openSteered();
	cancel.abort(new Error("taken back"));
	await assert.rejects(second, /taken back/);
	assert.deepEqual(heard()?.words(), []);
	end.resolve();
});

test("a message for a turn that cannot listen or is on another engine, or with more than words, ends the turn at work", async () => {
	for (const scene of [{ listens: false }, { engine: "cli" }, { isPlain: false }]) {
		const { first, second } = openSteered(scene);
		await assert.rejects(first, { name: "AbortError" });
		assert.equal(await second, "second");
	}
});

test("a message whose turn has come ends nothing when it is sent now", async () => {
	const { start } = open();
	const [first, second] = ["1", "2"].map((name) => start("s", name));
	first?.end.resolve();
	await first?.over;
	second?.sendNow();
	second?.end.resolve();
	await second?.over;
});
