import assert from "node:assert/strict";
import { test } from "node:test";
import { createQuestionQueue, type Question } from "../../../src/vscode/permissions/questions.ts";

const never = new AbortController().signal;

function open() {
	const screen: { title: string | undefined } = { title: undefined };
	const views = new Map<string, (answer: string | undefined) => void>();
	const queue = createQuestionQueue(() => undefined);
	const question = (who: string, settled?: () => string | undefined): Question<string> => ({
		...{ who, what: who },
		open: () => {
			assert.equal(screen.title, undefined, "two questions on the screen");
			const { promise: answer, resolve } = Promise.withResolvers<string | undefined>();
			views.set(who, resolve);
			const dispose = () => {
				screen.title = undefined;
				resolve(undefined);
			};
			const pick = Object.assign(screen, { show: () => undefined, dispose });
			return { pick, answer };
		},
		settled: async () => settled?.(),
	});
	const settle = () => new Promise(setImmediate);
	const press = async (who: string, answer: string | undefined) => {
		views.get(who)?.(answer);
		await settle();
	};
	const ask = (who: string, signal = never, settled?: () => string | undefined) =>
		queue.ask(question(who, settled), signal);
	return { queue, screen, ask, press, settle };
}

test("questions are shown one after another, with the number of waiting questions", async () => {
	const { screen, ask, press, settle } = open();
	const answers = ["a", "b", "c"].map((who) => ask(who));
	await settle();
	for (const [who, title] of Object.entries({ a: "1 of 3 · a", b: "1 of 2 · b", c: "c" })) {
		assert.equal(screen.title, title);
		await press(who, `yes ${who}`);
	}
	assert.deepEqual(await Promise.all(answers), ["yes a", "yes b", "yes c"]);
	assert.equal(screen.title, undefined);
});

test("a hidden question and later questions wait until the queue is shown again", async () => {
	const { queue, screen, ask, press, settle } = open();
	const answers = [ask("a")];
	await settle();
	for (const answer of [undefined, "yes"]) await press("a", answer);
	answers.push(ask("b"));
	await settle();
	assert.equal(screen.title, undefined);
	assert.deepEqual([queue.isHidden(), queue.waiting().map(({ who }) => who)], [true, ["a", "b"]]);
	queue.show();
	await settle();
	for (const who of ["a", "b"]) await press(who, `no ${who}`);
	assert.deepEqual(await Promise.all(answers), ["no a", "no b"]);
	assert.equal(queue.isHidden(), false);
});

test("the end of a turn removes only the turn's question; an ended turn asks nothing", async () => {
	for (const index of [0, 1, 2]) {
		const { screen, ask, press, settle } = open();
		const turn = new AbortController();
		const names = ["a", "b", "c"];
		const answers = names.map((who, at) => ask(who, at === index ? turn.signal : never));
		for (const answer of answers) answer.catch(() => undefined);
		await settle();
		turn.abort();
		await settle();
		await assert.rejects(answers[index] ?? Promise.resolve(), { name: "AbortError" });
		for (const who of names.toSpliced(index, 1)) {
			assert.ok(screen.title?.endsWith(who));
			await press(who, "yes");
		}
		assert.equal(screen.title, undefined);
	}
	const { queue, ask } = open();
	await assert.rejects(ask("a", AbortSignal.abort()), { name: "AbortError" });
	assert.deepEqual(queue.waiting(), []);
});

test("a question that was settled while waiting is not asked; an unreadable question fails alone", async () => {
	const { screen, ask, press, settle } = open();
	let ruled: string | undefined;
	const broken = ask("a", never, () => {
		throw new Error("unreadable");
	});
	const answers = [ask("b"), ask("c", never, () => ruled), ask("d")];
	await assert.rejects(broken, /unreadable/);
	await settle();
	assert.equal(screen.title, "1 of 3 · b");
	ruled = "by a rule";
	await press("b", "yes");
	assert.equal(screen.title, "d");
	await press("d", "no");
	assert.deepEqual(await Promise.all(answers), ["yes", "by a rule", "no"]);
});
