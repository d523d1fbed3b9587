import assert from "node:assert/strict";
import { test } from "node:test";
import type {
	Decision,
	Effect,
	PermissionRequest,
	Permissions,
} from "../../src/core/permission/permission.ts";
import { phrase } from "../../src/core/phrase.ts";
import { type AskPerson, decide, type PersonsAnswer } from "../../src/permissions/decide.ts";

const REQUEST: PermissionRequest = {
	...{ door: "cli", tool: "shell", title: "git log", session: "s", workspace: "file:///w", mutates: true },
	arguments: [{ kind: "command", value: "git log -3" }],
} as const;

/** Rules that say the same until the test changes it. */
function open(effect: Effect) {
	const rules = { effect };
	const written: string[] = [];
	const unasked = () => Promise.reject(new Error("not asked for"));
	const permissions: Permissions = {
		...{ revoke: unasked, rules: unasked, decisions: unasked, preview: unasked },
		verdictFor: async () => ({ effect: rules.effect }),
		record: async ({ effect: said, by }: Omit<Decision, "at">) => void written.push(`${said} by ${by}`),
		add: async (rule) => {
			written.push(JSON.stringify(rule));
			return { ...rule, id: "r", origin: "person", createdAt: 0 };
		},
	};
	const turn = new AbortController();
	const decideWith = (ask: AskPerson) =>
		decide(permissions, REQUEST, { ask, by: "person", signal: turn.signal });
	return { rules, written, turn, decideWith, permissions };
}

const saying = (answer: PersonsAnswer | undefined) => async () => answer;

test("only what a person says is written down as theirs", async () => {
	for (const [answer, line] of [
		[{ kind: "once" }, "allow by person"],
		[{ kind: "deny" }, "deny by person"],
		[{ kind: "ruled" }, "deny by default"],
		[undefined, "deny by default"],
	] as const) {
		const { decideWith, written } = open("ask");
		await decideWith(saying(answer));
		assert.deepEqual(written, [line]);
	}
});

test("nobody is asked where the rules say what is to be done", async () => {
	for (const effect of ["allow", "deny"] as const) {
		const { decideWith, written } = open(effect);
		const { effect: decided } = await decideWith(() => assert.fail("asked"));
		assert.equal(decided, effect);
		assert.deepEqual(written, [`${effect} by default`]);
	}
});

test("a rule that denies binds also where the person allows the call a moment later", async () => {
	const { decideWith, rules, written } = open("ask");
	const { effect } = await decideWith(async () => {
		rules.effect = "deny";
		return { kind: "once" };
	});
	assert.equal(effect, "deny");
	assert.deepEqual(written, ["deny by default"]);
});

test("a person's no stands where a rule has come to allow the call", async () => {
	const { decideWith, rules } = open("ask");
	const { effect, by } = await decideWith(async () => {
		rules.effect = "allow";
		return { kind: "deny" };
	});
	assert.deepEqual([effect, by], ["deny", "person"]);
});

test("what comes after the turn has ended decides nothing", async () => {
	const { decideWith, turn, written } = open("ask");
	const late = decideWith(async () => {
		turn.abort();
		return { kind: "once" };
	});
	await assert.rejects(late, { name: "AbortError" });
	assert.deepEqual(written, []);
});

test("a rule that the person chooses is kept for its scope, before the decision is written down", async () => {
	const offer = { argument: { kind: "command", value: "git log" }, frees: phrase("git log") } as const;
	for (const [scope, owner] of [
		["session", { owner: "s" }],
		["workspace", { owner: "file:///w", door: "cli" }],
		["always", { door: "cli" }],
	] as const) {
		const { decideWith, written } = open("ask");
		await decideWith(async ({ offers }) => {
			assert.deepEqual(
				offers.map(({ argument }) => argument?.value),
				["git log -3 *", "git log"],
			);
			return { kind: "rule", scope, offer };
		});
		const [rule = "", ...decisions] = written;
		assert.deepEqual(JSON.parse(rule), {
			...{ effect: "allow", scope, tool: "shell", argument: offer.argument },
			...owner,
		});
		assert.deepEqual(decisions, ["allow by person"]);
	}
});

test("where the rule cannot be kept nothing is allowed, and nothing is said to be", async () => {
	const { permissions, written, turn } = open("ask");
	const failing: Permissions = { ...permissions, add: () => Promise.reject(new Error("disk full")) };
	const answer: PersonsAnswer = { kind: "rule", scope: "always", offer: { frees: phrase("all") } };
	await assert.rejects(
		decide(failing, REQUEST, { ask: saying(answer), by: "person", signal: turn.signal }),
		/disk full/,
	);
	assert.deepEqual(written, []);
});

test("a question that waits knows when the rules have answered it", async () => {
	const { decideWith, rules } = open("ask");
	const { effect } = await decideWith(async ({ isOpen }) => {
		assert.equal(await isOpen(), true);
		rules.effect = "allow";
		assert.equal(await isOpen(), false);
		return { kind: "ruled" };
	});
	assert.equal(effect, "allow");
});
