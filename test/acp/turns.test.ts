import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { createFakePermissions } from "./fakePermissions.ts";
import { answerOf, eventsOf, type RealCli, requestFor, runnerOn, runToEnd, startRealCli } from "./realCli.ts";
import type { ScriptedReply, SeenRequest } from "./scriptedModelServer.ts";

/** The question says what the model does: text, or a command to run and then text. */
function reply({ question, results }: SeenRequest): ScriptedReply {
	const [, verb, rest = ""] = /@@(\w+) ?([^\n]*)/.exec(question) ?? [];
	if (verb === "run" && results.length === 0)
		return { calls: [{ name: "bash", input: { command: rest, description: "Runs it" } }] };
	if (verb === "edit" && results.length === 0)
		return { calls: [{ name: "edit", input: JSON.parse(rest) }] };
	if (verb === "create" && results.length === 0)
		return { calls: [{ name: "create", input: JSON.parse(rest) }] };
	if (verb === "think") return { thought: rest, text: ["Thought."] };
	if (verb === "wait") return { text: ["Half "], wait: true };
	return { text: ["All ", "well."] };
}

let cli: RealCli;
const whenDone: (() => unknown)[] = [];
after(async () => {
	for (const clean of whenDone.reverse()) await clean();
});

test("the CLI starts ahead of the first use, and says what it is only once", async () => {
	cli = await startRealCli({ after: (clean) => void whenDone.push(clean as () => unknown) }, reply);
	const [first, second] = await Promise.all([cli.client.ensureStarted(), cli.client.ensureStarted()]);
	assert.equal(first, second);
	assert.equal(first.agentInfo?.name, "Copilot");
});

test("an answer streams, with what it took", async () => {
	const session = await cli.sessions.create({ cwd: cli.work, mcpServers: [] });
	const shown = await runToEnd(runnerOn(cli, session), requestFor("Hello"));
	assert.equal(shown.thrown, undefined);
	assert.equal(answerOf(shown), "All well.");
	assert.deepEqual(eventsOf(shown, "usage"), [{ kind: "usage", inputTokens: 100, outputTokens: 10 }]);
	assert.equal(shown.events.at(-1)?.kind, "ended");
});

test("a call that is allowed runs, and its output and exit code are shown", async () => {
	const session = await cli.sessions.create({ cwd: cli.work, mcpServers: [] });
	const permissions = createFakePermissions();
	const runner = runnerOn(cli, session, { permissions, answer: () => "once" });
	const shown = await runToEnd(runner, requestFor("@@run echo hi > yes.txt; cat yes.txt; exit 3"));
	assert.equal(shown.thrown, undefined);
	const [finished] = eventsOf(shown, "toolFinished");
	console.log(JSON.stringify(shown.events, null, 1));
	assert.equal(finished?.exitCode, 3);
	assert.equal(finished?.ok, false);
	assert.match(finished?.text ?? "", /^hi/);
	assert.equal(readFileSync(join(cli.work, "yes.txt"), "utf8"), "hi\n");
	assert.deepEqual(permissions.made, []);
	assert.deepEqual(
		permissions.log.map(({ effect, by }) => [effect, by]),
		[["allow", "person"]],
	);
});

test("a call that is denied does not run, and the turn goes on", async () => {
	const session = await cli.sessions.create({ cwd: cli.work, mcpServers: [] });
	const shown = await runToEnd(runnerOn(cli, session), requestFor("@@run touch no.txt"));
	assert.equal(existsSync(join(cli.work, "no.txt")), false);
	assert.equal(answerOf(shown), "All well.");
	console.log(JSON.stringify(shown.events, null, 1));
});
test("edit", async () => {
	writeFileSync(join(cli.work, "a.txt"), "one\ntwo\nthree\n");
	const session = await cli.sessions.create({ cwd: cli.work, mcpServers: [] });
	const runner = runnerOn(cli, session, { answer: () => "once" });
	const shown = await runToEnd(
		runner,
		requestFor(`@@edit ${JSON.stringify({ path: join(cli.work, "a.txt"), old_str: "two", new_str: "TWO" })}`),
	);
	console.log(JSON.stringify(shown.events, null, 1), readFileSync(join(cli.work, "a.txt"), "utf8"));
});
