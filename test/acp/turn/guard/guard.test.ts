import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestPermissionRequest } from "@agentclientprotocol/sdk";
import { type CallGuardDeps, createCallGuard } from "../../../../src/acp/turn/guard/callGuard.ts";
import {
	answerQuestions,
	createPermissionDesk,
	denialText,
} from "../../../../src/acp/turn/guard/permissionDesk.ts";
import { askedCall, hookedCalls, requestOf } from "../../../../src/acp/turn/guard/wantedCall.ts";
import { wantedPermission } from "../../../../src/acp/turn/guard/watch.ts";
import { type CallState, createToolCalls } from "../../../../src/acp/updates/turnReader.ts";
import { OUR_TOOLS_ON_CLI } from "../../../../src/core/agent/ourTools.ts";
import { ALL, effectFor } from "../../../permissions/judging.ts";
import { assertMapped } from "../../../support/assertMapped.ts";
import { createFakePermissions } from "../../../support/fakePermissions.ts";

const hasCommand = (tool: string) => tool === "copilot-ld-plugin_lights_go";

const REQUEST: RequestPermissionRequest = {
	sessionId: "s",
	toolCall: { toolCallId: "c", kind: "execute", rawInput: { command: "rm x" } },
	options: [
		{ optionId: "yes", kind: "allow_once", name: "Yes" },
		{ optionId: "no", kind: "reject_once", name: "No" },
	],
};

const INPUT = { command: "rm x" };
const ran = (id: string, input: object = INPUT, kind = "execute") =>
	call({ call: { id, name: "shell", input }, kind });

/** Opens a desk whose turn is aborted during the given check of the rules, or never. */
function openDesk(endsAt = Number.POSITIVE_INFINITY) {
	const permissions = createFakePermissions();
	const turn = new AbortController();
	const asked: string[] = [];
	let looks = 0;
	const verdictFor: typeof permissions.verdictFor = async (request) => {
		if (++looks === endsAt) turn.abort();
		return permissions.verdictFor(request);
	};
	const desk = createPermissionDesk({
		permissions: { ...permissions, verdictFor },
		askPerson: async ({ callId }) => {
			asked.push(callId);
			return { kind: "once" };
		},
		origin: { session: "s", workspace: "", cwd: "/w", hasCommand: () => false },
		signal: turn.signal,
		show: () => undefined,
	});
	const { permission } = answerQuestions(desk, createToolCalls());
	const answer = async (request: RequestPermissionRequest) => (await permission(request)).outcome;
	const wasAllowed = (id: string) => desk.wasAllowed(ran(id));
	return { desk, answer, wasAllowed, asked, log: permissions.log };
}

for (const [reads, expected] of [
	[1, []],
	[2, ["c"]],
] as const)
	test(`a turn that ends during check ${reads} of the rules allows nothing`, async () => {
		const { answer, wasAllowed, asked, log } = openDesk(reads);
		assert.deepEqual(await answer(REQUEST), { outcome: "cancelled" });
		assert.deepEqual([asked, log], [expected, []]);
		assert.equal(wasAllowed("c"), false);
	});

test("a call is allowed only if the user allows it and the agent offers that answer", async () => {
	const { answer, wasAllowed } = openDesk();
	assert.deepEqual(await answer({ ...REQUEST, options: [] }), { outcome: "cancelled" });
	assert.equal(wasAllowed("c"), false);
	assert.deepEqual(await answer(REQUEST), { outcome: "selected", optionId: "yes" });
	assert.deepEqual(["c", "d"].map(wasAllowed), [true, false]);
});

test("a decision before a call's announcement allows that call only", async () => {
	const { desk } = openDesk();
	const call = { id: "", title: "bash", tool: "bash", locations: [], isNamed: true };
	await desk.decide({ ...call, kind: "execute", input: INPUT });
	const all = [ran("c", INPUT, "edit"), ran("c", { command: "rm y" }), ran("c"), ran("d"), ran("c")];
	assert.deepEqual(all.map(desk.wasAllowed), [false, false, true, false, true]);
});

test("the model gets the user's reason for a denial, and learns of denials by rules", () => {
	const text = denialText([
		{ title: "touch a", by: "person", reason: "not there" },
		{ title: "rm b", by: "rule" },
	]);
	assert.match(text, /^I did not allow this call: touch a\. My reason: not there\nA rule .*: rm b\.\nDo/);
});

test("the agent's words follow the command and cannot hide the command", async () => {
	const { answer, log } = openDesk();
	const title = `Lists\u202e files${" ".repeat(50)}${"x".repeat(9000)}`;
	const rawInput = { command: "rm\u200b x\n# harmless" };
	await answer({ ...REQUEST, toolCall: { ...REQUEST.toolCall, title, rawInput } });
	const { title: shown = "" } = log[0]?.request ?? {};
	const wanted = /^rm⟨U\+200B⟩ x⟨newline⟩# harmless \(Lists⟨U\+202E⟩ files⟨50 spaces⟩x+ ⟨\d+ more .*\)$/;
	assert.match(shown, wanted);
	assert.ok(shown.length < 300);
});

type Reads = CallGuardDeps["reads"];

function guardOver(reads: Partial<Reads>, allowsAll: () => Promise<boolean> = async () => false) {
	const asked: unknown[] = [];
	const decide: CallGuardDeps["desk"]["decide"] = async ({ input }) => {
		asked.push(input);
		return { kind: "denied" };
	};
	const guard = createCallGuard({
		calls: createToolCalls(),
		desk: { decide, wasAllowed: () => false },
		reads: { named: async () => [], found: async () => [], record: async () => undefined, ...reads },
		folder: "/session",
		hasCommand,
		allowsAll,
		halt: async () => undefined,
		show: () => undefined,
	});
	return { guard, asked };
}

const SECRET = { path: "/kb/key.pem", effect: "deny" } as Awaited<ReturnType<Reads["found"]>>[number];

test("a result is withheld from the model if the decision on it cannot be recorded", async () => {
	const record = () => Promise.reject(new Error("No space"));
	const { guard } = guardOver({ found: async () => [SECRET], record });
	const { instead } = await guard.after({ tool: "grep", input: {}, isSubagent: false }, "SECRET-1");
	assert.match(instead ?? "", /could not be checked: No space/);
});

test("a tool of another server whose name begins like our own tools needs a decision", async () => {
	const { guard, asked } = guardOver({});
	const call = { tool: "copilot-ld-liar-look_at", input: { x: 1 }, isSubagent: false };
	assert.notEqual(await guard.before(call), "pass");
	assert.deepEqual(asked, [{ x: 1 }]);
	for (const tool of [...OUR_TOOLS_ON_CLI, "copilot-ld-plugin_lights_go"])
		assert.equal(await guard.before({ ...call, tool }), "pass");
});

test("no call passes if the rules on “allow all” cannot be read", async () => {
	const { guard } = guardOver({}, () => Promise.reject(new Error("The rules cannot be read.")));
	const call = { tool: "bash", input: { command: "rm -rf /" }, isSubagent: false };
	await assert.rejects(guard.before(call), /The rules cannot be read/);
});

const ORIGIN = { session: "s", workspace: "file:///w" };
const CWD = "/w/sub";

type Asked = Partial<RequestPermissionRequest["toolCall"]>;

const map = (toolCall: Asked, known?: CallState) => {
	const request = { sessionId: "s", toolCall: { toolCallId: "c", ...toolCall }, options: [] };
	return requestOf(askedCall(request, known), { ...ORIGIN, cwd: CWD, hasCommand });
};

const hooked = (tool: string, input: unknown) =>
	hookedCalls({ tool, input, isSubagent: false }, undefined).map((call) =>
		requestOf(call, { ...ORIGIN, cwd: CWD, hasCommand }),
	);

test("a command becomes a call of the tool `shell` with the whole line", () => {
	const mapped = map({ kind: "execute", title: "List", rawInput: { command: "ls; rm x" } });
	const asked = { title: "ls; rm x (List)", arguments: [{ kind: "command", value: "ls; rm x" }] };
	assert.deepEqual(mapped, { channel: "cli", tool: "shell", ...asked, ...ORIGIN, mutates: true });
});

for (const [what, rawInput, ...values] of [
	["both of two paths", { fileName: "b", path: "/u/.bashrc" }, "/w/sub/b", "/u/.bashrc"],
	["the new paths of a file", { path: "a", new_path: "/etc/b", to: "/c" }, "/w/sub/a", "/etc/b", "/c"],
	["each path of a list", { path: "a.md", files: ["/etc/b"] }, "/w/sub/a.md", "/etc/b"],
	["no text", { path: "a.md", file_text: "/etc/b", old_str: "/etc/c" }, "/w/sub/a.md"],
	["a path with `..` as is and resolved", { fileName: "../../etc/x" }, "/etc/x", "/w/sub/../../etc/x"],
] as const)
	test(`rules judge an edit by ${what}`, () => {
		const expected = values.map((value) => ({ kind: "path", value }));
		assert.deepEqual(map({ kind: "edit", rawInput }).arguments, expected);
	});

test("the request for an edit has the announced locations, and the request for a fetch has the host", () => {
	const locations = [{ path: "/w/sub/a" }, { path: "/etc/b" }];
	const edited = map({ kind: "edit", rawInput: { fileName: "a" }, locations });
	assertMapped(edited.arguments, ({ value }) => value, ["/w/sub/a", "/etc/b"]);
	const fetched = map({ kind: "fetch", title: "Fetch", rawInput: { url: "https://example.org:8080/x" } });
	assert.deepEqual(fetched.arguments, [{ kind: "host", value: "example.org:8080" }]);
});

for (const [kind, rawInput] of [
	["execute", { script: "rm x" }],
	["edit", { diff: "" }],
	["fetch", { url: "no address" }],
] as const)
	test(`the user is asked about a ${kind} call without its usual argument, whatever the rules allow`, () => {
		assert.equal(effectFor(map({ kind, rawInput }), ALL), "ask");
	});

const CALL = { call: { id: "c", name: "shell", input: {} }, title: "Do", kind: "execute", text: "" } as const;
const call = (fields: Partial<CallState>): CallState => ({ ...CALL, diffs: [], status: "ok", ...fields });

const announced = (title: string, kind: string) =>
	call({ call: { id: "c", name: title, input: {} }, title, kind });

for (const [title, known, tool] of [
	["copilot-ld-remember", undefined, "remember"],
	["copilot-ld-plugin_lights_go", undefined, "lights:go"],
	["copilot-ld-plugin_lights_stop", undefined, "plugin_lights_stop"],
	["other-plugin_lights_go", undefined, "other-plugin_lights_go"],
	["search_knowledge", announced("knowledge-search_knowledge", "other"), "knowledge-search_knowledge"],
	["Run Agent", announced("copilot-ld-run_agent", "execute"), "run_agent"],
] as const)
	test(`the name in rules of ${known ? `${title}, announced as ${known.title},` : title} is ${tool}`, () => {
		const mapped = map({ kind: "other", title, rawInput: { query: "x" } }, known);
		assert.deepEqual([mapped.tool, mapped.arguments], [tool, [{ kind: "text", value: "x" }]]);
		const forged = { kind: "execute", title: "Run it", rawInput: { command: "rm x" } } as const;
		assert.equal(map(forged, known).tool, "shell");
	});

for (const [tool, input, held, freed] of [
	["bash", { command: "rm x" }, ["shell", "*"], true],
	["write_bash", { shellId: "1", input: "rm x" }, ["shell", "write_bash", "*"], false],
	["write_powershell", { shellId: "1" }, ["shell", "write_powershell"], false],
	["edit", { path: "a" }, ["edit"], true],
	["apply_patch", "*** Add File: a", ["edit"], true],
	["apply_patch", "nothing", ["edit"], false],
	["str_replace_editor", { command: "create", path: "a" }, ["edit", "str_replace_editor"], true],
	["web_fetch", { url: "https://a.example" }, ["fetch"], true],
	["web_search", { query: "a" }, ["fetch", "web_search"], false],
	["write_agent", { agent_id: "a" }, ["write_agent"], false],
] as const)
	test(`a rule that denies ${held.join(" or ")} denies the hooked tool ${tool}`, () => {
		const [wanted] = hooked(tool, input);
		assert.ok(wanted);
		const effectOf = (effect: "allow" | "deny", named: string) =>
			effectFor(wanted, { ...ALL, effect, tool: named });
		for (const named of held) assert.equal(effectOf("deny", named), "deny", named);
		const kind = held[0];
		if (kind !== tool) assert.equal(effectOf("allow", kind), freed ? "allow" : "ask");
	});

test("a patch is judged for each file that it changes", () => {
	const patch = "*** Begin Patch\n*** Update File: a\n*** Move to: ../b\n*** Delete File: c";
	const actual = hooked("apply_patch", { patch }).map(({ arguments: [first] }) => first?.value);
	assert.deepEqual(actual, ["/w/sub/a", "/w/b", "/w/sub/c"]);
});

const shell = (command: string) => ran("c", { command });
const edit = (path: string) => call({ kind: "edit", diffs: [{ path, oldText: "", newText: "x" }] });

const FOLDER = "/home/session-state/s";

test("a command needs permission unless it only reads", () => {
	const changing = ["git log --output=a.txt", "git diff --ext-diff", "date -s 2020-01-01", "git log; rm x"];
	for (const command of [...changing, "cat a > b", "make"])
		assert.equal(wantedPermission(shell(command), FOLDER), true, command);
	for (const command of ["git log --oneline", "ls -la src"])
		assert.equal(wantedPermission(shell(command), FOLDER), false, command);
});

for (const [what, state, wanted] of [
	["a change of a file", edit("/projects/a.txt"), true],
	["a plan in the session's own folder", edit("/home/session-state/s/plan.md"), false],
	["a change in a folder with the same prefix", edit("/home/session-state/s-other/x"), true],
	["a change outside the session's own folder by `..`", edit("/home/session-state/s/../../x"), true],
	["a failed call", call({ ...shell("make"), status: "failed" }), false],
	["a deletion", call({ kind: "delete" }), true],
	["a search", call({ kind: "search" }), false],
] as const)
	test(`${what} needs ${wanted ? "permission" : "no permission"}`, () => {
		assert.equal(wantedPermission(state, FOLDER), wanted);
	});
