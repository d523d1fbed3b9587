import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, test } from "node:test";
import type { CliSession } from "../../src/acp/turn/session/cliSession.ts";
import type { AgentEvent } from "../../src/core/agent/agentEvent.ts";
import { CLI_TOOLS } from "../../src/core/agent/cliTools.ts";
import { createInbox } from "../../src/vscode/turn/turnQueue.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { assertNone } from "../support/assertNone.ts";
import { createFakePermissions } from "../support/fakePermissions.ts";
import { wholeFile } from "../support/wholeFile.ts";
import { writeIn } from "./loads/writeIn.ts";
import { answerOf, askOn, eventsOf, requestFor, runnerOn, runToEnd, startRealCli } from "./realCli.ts";
import { commandsIn, type ScriptedReply, type SeenRequest } from "./scriptedModelServer.ts";

/** Replies as the question says: with a tool call and its input, a thought, a pause or a text. */
function reply(request: SeenRequest): ScriptedReply {
	const { question, results } = request;
	const [, verb, rest = ""] = /@@(\w+) ?([^\n]*)/.exec(question) ?? [];
	if (results.length > 0) return { text: [`It said: ${results.join(" | ")}`] };
	if (verb === "edit" || verb === "create" || verb === "sql")
		return { calls: [{ name: verb, input: JSON.parse(rest) }] };
	if (verb === "think") return { thought: rest, text: ["Thought."] };
	if (verb === "wait") return { text: ["Half "], wait: true };
	return commandsIn(request) ?? { text: ["All ", "well."] };
}

const cli = await startRealCli(wholeFile(), reply);

let session: CliSession;
beforeEach(async () => {
	session = await cli.open();
});

const ask = (question: string, options?: Parameters<typeof askOn>[3]) =>
	askOn(cli, session, question, options);
const once = { answer: () => "once" as const };
const inWork = (name: string) => join(cli.work, name);
const has = (name: string) => existsSync(inWork(name));

test("a turn streams its answer and reports its tokens", async () => {
	const runner = runnerOn(cli, session);
	await runToEnd(runner, requestFor("My dog is called Rex."));
	const shown = await runToEnd(runner, requestFor("What is its name?"));
	assert.equal(shown.thrown, undefined);
	assert.equal(answerOf(shown), "All well.");
	// Only the tokens of this turn count, although the model also reads the previous turn.
	assert.deepEqual(eventsOf(shown, "usage"), [{ kind: "usage", inputTokens: 100, outputTokens: 10 }]);
	assert.match(cli.model.requests.at(-1)?.whole ?? "", /My dog is called Rex/);
	assert.ok((eventsOf(shown, "window")[0]?.usedTokens ?? 0) > 0);
	assert.deepEqual(shown.events.at(-1), { kind: "ended", reason: "done" });
});

test("a turn offers the model only tools that are in our table of CLI tools", async () => {
	await ask("Hello");
	const { tools = [] } = cli.model.requests.at(-1) ?? {};
	assert.ok(tools.includes("view"));
	assertNone(tools.filter((name) => !CLI_TOOLS.has(name)));
});

test("a turn shows the model's thoughts", async () => {
	const shown = await ask("@@think Hm, well");
	const thought = eventsOf(shown, "thought").map(({ text }) => text);
	assert.deepEqual([thought.join(""), answerOf(shown)], ["Hm, well", "Thought."]);
});

test("a call that is allowed once runs, shows its output and exit code, and adds no rule", async () => {
	const permissions = createFakePermissions();
	const shown = await ask("@@run echo hi > yes.txt; cat y*; exit 3", { permissions, ...once });
	const [finished] = eventsOf(shown, "toolFinished");
	assert.deepEqual([finished?.ok, finished?.exitCode, finished?.text], [false, 3, "hi"]);
	assert.equal(readFileSync(inWork("yes.txt"), "utf8"), "hi\n");
	assert.deepEqual(permissions.made, []);
	const [decided] = eventsOf(shown, "permission");
	assert.deepEqual([decided?.effect, decided?.by], ["allow", "person"]);
});

test("a turn replaces the output of a call as the output grows", async () => {
	const shown = await ask("@@run echo one; sleep 0.3; echo two", once);
	const texts = eventsOf(shown, "toolUpdated").map(({ text }) => text);
	assert.ok(texts.every((text) => text.startsWith("one\n")));
	assert.equal(eventsOf(shown, "toolFinished")[0]?.text, "one\ntwo");
});

test("a denied call does not run; the model continues and knows the reason", async () => {
	const reason = "that file belongs to the harbour";
	const shown = await ask("@@run touch no.txt", { answer: () => ({ kind: "deny", reason }) });
	assert.equal(has("no.txt"), false);
	const [[finished], [decided]] = [eventsOf(shown, "toolFinished"), eventsOf(shown, "permission")];
	assert.deepEqual([finished?.ok, decided?.effect], [false, "deny"]);
	assert.match(answerOf(shown), /^It said: .*I did not allow this call: touch no\.txt.*reason: that file/);
});

test("a turn ends after a denied call if the user stops the turn at another call", async () => {
	const shown = await ask("@@run touch first.txt @@and touch second.txt", {
		answer: ({ request }) => ({ kind: "deny", andStop: !request.title.includes("first") }),
	});
	assert.deepEqual([shown.thrown, answerOf(shown)], [undefined, ""]);
	assert.deepEqual(["first.txt", "second.txt"].map(has), [false, false]);
});

test("the user is asked about concurrent calls in turn, each with its own answer", async () => {
	let open = 0;
	const shown = await ask("@@run touch left.txt @@and touch right.txt", {
		answer: async ({ request }) => {
			open++;
			await new Promise(setImmediate);
			assert.equal(open, 1);
			open--;
			return request.title.includes("left") ? "once" : "deny";
		},
	});
	assert.equal(eventsOf(shown, "permission").length, 2);
	assert.deepEqual(["left.txt", "right.txt"].map(has), [true, false]);
});

test("a turn allows nothing if the rules cannot be read", async () => {
	const verdictFor = () => Promise.reject(new Error("No disk"));
	const permissions = { ...createFakePermissions(), verdictFor };
	const shown = await ask("@@run touch unread.txt", { permissions, ...once });
	assert.equal(has("unread.txt"), false);
	assert.match(eventsOf(shown, "notice")[0]?.text ?? "", /No disk/);
});

test("a turn shows the change of a file once, with the old and new lines", async () => {
	writeFileSync(inWork("a.txt"), "one\ntwo\nthree\n");
	const input = { path: inWork("a.txt"), old_str: "two", new_str: "TWO" };
	const shown = await ask(`@@edit ${JSON.stringify(input)}`, once);
	const parts = eventsOf(shown, "diff").map(({ path, oldText, newText }) => [path, oldText, newText]);
	assert.deepEqual(parts, [[inWork("a.txt"), "two", "TWO"]]);
	assert.equal(readFileSync(inWork("a.txt"), "utf8"), "one\nTWO\nthree\n");
});

test("a turn shows the plan that the CLI keeps in its database", async () => {
	const rows = "('a', 'Look', 'done'), ('b', 'Leap', 'in_progress')";
	const query = `INSERT INTO todos (id, title, status) VALUES ${rows}`;
	const shown = await ask(`@@sql ${JSON.stringify({ query, description: "Plans" })}`);
	const { steps = [] } = eventsOf(shown, "plan").at(-1) ?? {};
	assertMapped(steps, ({ title, status }) => `${title} ${status}`, ["Look done", "Leap running"]);
});

test("a turn attachments, images and turns of other engines are sent to the model", async () => {
	const data =
		"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
	const request = requestFor("And now?", {
		history: [{ question: "Who keeps the lamp?", answer: "Ada does." }],
		attachments: [{ name: "notes.md", text: "Buy ```oil```." }],
		images: [{ mimeType: "image/png", data }],
	});
	await askOn(cli, session, request);
	const { whole = "" } = cli.model.requests.at(-1) ?? {};
	for (const words of [/Ada does\./, /notes\.md/, /Buy ```oil```\./, /image_url/]) assert.match(whole, words);
});

test("a turn runs a CLI command without the model", async () => {
	const before = cli.model.requests.length;
	const shown = await ask("/cwd");
	assert.ok(answerOf(shown).includes(cli.work));
	assert.equal(cli.model.requests.length, before);
	assert.ok(session.commands().some(({ name }) => name === "compact"));
});

test("a session never lets the CLI run every call without a question", async () => {
	await session.setOption("allow_all", "on");
	assert.equal(session.options().find(({ id }) => id === "allow_all")?.value, "off");
	await ask("/allow-all on");
	const shown = await ask("@@run touch all.txt");
	assert.deepEqual([has("all.txt"), eventsOf(shown, "permission").length], [false, 1]);
});

test("a turn uses the chosen mode and agent", async () => {
	const keeper = "---\nname: keeper\ndescription: Keeps\n---\nYou keep the lamp.\n";
	await writeIn(cli.work, ".github/agents/keeper.md", keeper);
	const chosen = await cli.open();
	const optionOf = (wanted: string) => chosen.options().find(({ id }) => id === wanted);
	const plan = optionOf("mode")?.choices.find(({ value }) => value.endsWith("#plan"))?.value ?? "";
	for (const [option, value] of Object.entries({ agent: "keeper", mode: plan })) {
		await chosen.setOption(option, value);
		assert.equal(optionOf(option)?.value, value);
	}
	await askOn(cli, chosen, "Hello");
	assert.match(cli.model.requests.at(-1)?.whole ?? "", /You keep the lamp/);
});

/** Sends a message as soon as a running command has output. */
async function speakDuring(command: string, words: string) {
	const inbox = createInbox();
	const taken: string[] = [];
	const since = cli.model.requests.length;
	const request = requestFor(`@@run ${command}`, { steering: inbox });
	let isSaid = false;
	const watch = ({ kind }: AgentEvent) => {
		if (kind === "toolUpdated" && !isSaid) inbox.put(words, () => taken.push(words));
		isSaid ||= kind === "toolUpdated";
	};
	const shown = await askOn(cli, session, request, { ...once, watch });
	return { shown, taken, requests: cli.model.requests.slice(since) };
}

test("a user's message reaches the model with the running call's result, and the turn continues", async () => {
	const words = 'Be "short" \\n $(touch owned) `id` and\nkind 🕯';
	const { shown, taken, requests } = await speakDuring("echo one; sleep 1; echo two", words);
	assert.equal(shown.thrown, undefined);
	assert.deepEqual([taken, requests.length], [[words], 2]);
	assert.ok(requests[1]?.results[0]?.endsWith(words));
	assert.match(eventsOf(shown, "toolFinished")[0]?.text ?? "", /^one\ntwo\n[\s\S]*and\nkind 🕯$/);
	const failed = await speakDuring("echo one; sleep 1; exit 3", "Stop trying.");
	assert.deepEqual(failed.taken, ["Stop trying."]);
	assert.match(failed.requests[1]?.results[0] ?? "", /Stop trying\.$/);
});
