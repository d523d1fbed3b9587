import assert from "node:assert/strict";
import { test } from "node:test";
import type {
	CallArgument,
	Effect,
	PermissionRequest,
	PermissionRule,
	RequestArgument,
} from "../../src/core/permission/permission.ts";
import { verdictOf } from "../../src/permissions/permissionRules.ts";
import { listed } from "../support/listed.ts";
import { createRandom, type Random } from "../support/random.ts";
import { times } from "../support/times.ts";
import { effectFor, requestOf } from "./judging.ts";

const WORKSPACE = "file:///home/ada/my%20project";
let rules = 0;

function rule(effect: Effect, parts: Partial<PermissionRule> = {}): PermissionRule {
	rules++;
	return { id: `${rules}`, effect, scope: "always", origin: "person", createdAt: rules, ...parts };
}

const request = (parts: Partial<PermissionRequest> = {}) => requestOf({ workspace: WORKSPACE, ...parts });

const command = (value: string): CallArgument => ({ kind: "command", value });
const path = (value: string): CallArgument => ({ kind: "path", value });
const host = (value: string): CallArgument => ({ kind: "host", value });

const effectOn = (argument: CallArgument, ...given: PermissionRule[]) =>
	effectFor(request({ arguments: [argument] }), ...given);

test("without a matching rule, a reading call is allowed and a mutating call is asked about", () => {
	assert.equal(effectFor(request({ mutates: false })), "allow");
	assert.equal(effectFor(request()), "ask");
	assert.equal(
		effectFor(request(), rule("allow", { tool: "other" }), rule("deny", { channel: "mcp" })),
		"ask",
	);
	// `*` in a rule's tool name matches any characters.
	const asked = request({ tool: "github_create_issue" });
	for (const tool of ["github_create_issue", "github_*", "*", "*_issue"])
		assert.equal(effectFor(asked, rule("deny", { tool })), "deny", tool);
	for (const tool of ["github", "create_issue", "github_", "GITHUB_*"])
		assert.equal(effectFor(asked, rule("deny", { tool })), "ask", tool);
});

test("a session rule applies only in its session, and a workspace rule only in its workspace", () => {
	const session = rule("allow", { scope: "session", owner: "s1" });
	assert.equal(effectFor(request({ session: "s1" }), session), "allow");
	assert.equal(effectFor(request({ session: "s2" }), session), "ask");
	assert.equal(effectFor(request(), session), "ask");
	assert.equal(effectFor(request(), rule("allow", { scope: "workspace", owner: WORKSPACE })), "allow");
	assert.equal(effectFor(request(), rule("allow", { scope: "workspace", owner: "file:///other" })), "ask");
	const escaped = rule("allow", { scope: "workspace", owner: "file:///home/ada/%6Dy%20project" });
	assert.equal(effectFor(request(), escaped), "allow");
	assert.equal(effectFor(request({ workspace: "" }), rule("allow", { scope: "workspace" })), "ask");
	assert.equal(effectFor(request(), rule("allow", { scope: "once" })), "ask");
});

test("a command line is allowed if rules allow each command, and denied if a rule denies one command", () => {
	const allow = ["cat", "grep"].map((name) => rule("allow", { argument: command(name) }));
	assert.equal(effectOn(command("cat a | grep b"), ...allow), "allow");
	const deny = rule("deny", { argument: command("grep -r") });
	assert.equal(effectOn(command("cat a | grep b"), ...allow, deny), "allow");
	assert.equal(effectOn(command("cat a | grep -r b"), ...allow, deny), "deny");
	assert.equal(effectOn(command("cat `grep -r b`"), ...allow, deny), "deny");
	assert.equal(effectOn(command("cat a 'unclosed"), rule("allow")), "ask");
});

/** Patterns with values that match and values that do not. */
const PATTERNS: readonly (readonly [pattern: CallArgument, meets: string, misses?: string])[] = [
	[path("/a/b.txt"), "/a/b.txt"],
	[path("/a/*.txt"), "/a/b.txt", "/a/c/b.txt"],
	[path("/a/**"), "/a/c/b.txt | /a | /a/./b//../c", "/ab/c | /a/../etc/passwd"],
	[path("**/*.pem"), "/x/y/key.pem"],
	[path("**/secret/**"), "/x/secret/y/z"],
	[path("src/**"), "/home/ada/my project/src/a.ts", "/home/ada/other/src/a.ts"],
	[path("./src/**"), "/home/ada/my project/src/a.ts"],
	[path("/a/?.txt"), "/a/b.txt", "/a/bb.txt"],
	[path("/a/é"), "/a/e\u0301"],
	[path("/A/b"), "/A/b", "/a/b"],
	[host("example.com"), "example.com | EXAMPLE.com. | example.com:8443", "a.example.com"],
	[host("example.com:8443"), "example.com:8443", "example.com"],
	[host("*.example.com"), "a.b.example.com", "example.com | badexample.com"],
	[host("*"), "localhost:3000"],
	[host("[::1]"), "[::1]:80"],
];

test("globs and host patterns match exactly the intended values", () => {
	for (const [pattern, meets, misses = ""] of PATTERNS) {
		const effects = (names: string) =>
			listed(names).map((value) => effectOn({ ...pattern, value }, rule("deny", { argument: pattern })));
		assert.deepEqual(new Set(effects(meets)), new Set(["deny"]), `${pattern.value} meets ${meets}`);
		if (misses)
			assert.deepEqual(new Set(effects(misses)), new Set(["ask"]), `${pattern.value} misses ${misses}`);
	}
});

test("globs ignore case if the file system does, and relative globs match nothing without a workspace", () => {
	const deny = rule("deny", { argument: path("C:/Users/**") });
	const asked = request({ arguments: [path("c:/users/ada/x")], workspace: "" });
	assert.equal(verdictOf(asked, [deny], { ignoreCase: true }).effect, "deny");
	assert.equal(effectFor(asked, deny), "ask");
	const bare = request({ arguments: [path("/src/a")], workspace: "" });
	assert.equal(effectFor(bare, rule("deny", { argument: path("src/**") })), "ask");
});

test("a rule applies to one kind of argument, and every argument must be allowed", () => {
	const asked = request({ arguments: [command("curl x"), host("example.com")] });
	const curl = rule("allow", { argument: command("curl") });
	const example = rule("allow", { argument: host("example.com") });
	assert.equal(effectFor(asked, curl), "ask");
	assert.equal(effectFor(asked, curl, example), "allow");
	assert.equal(effectFor(asked, curl, rule("deny", { argument: host("*") })), "deny");
	assert.equal(effectFor(request(), curl, example), "ask");
});

test("of two rules, the rule with the narrower argument, tool, channel or scope decides", () => {
	const [push, dry] = [command("git push"), command("git push --dry-run")];
	const workspace = { scope: "workspace", owner: WORKSPACE } as const;
	const narrower: [Partial<PermissionRule>, Partial<PermissionRule>, CallArgument?][] = [
		[{ argument: push }, {}],
		[{ argument: dry }, { argument: push }],
		[{ argument: path("/a/b/*") }, { argument: path("/a/**") }, path("/a/b/c")],
		[{ argument: host("*.example.com") }, { argument: host("*") }, host("x.example.com")],
		[{ tool: "shell" }, { tool: "sh*" }],
		[{ tool: "sh*" }, {}],
		[{ channel: "cli" }, {}],
		[{ scope: "session", owner: "s" }, workspace],
		[workspace, {}],
	];
	for (const [inner, outer, argument = dry] of narrower)
		for (const [wins, gives] of [
			["allow", "deny"],
			["deny", "allow"],
			["ask", "deny"],
		] as const) {
			const asked = request({ session: "s", arguments: [argument] });
			assert.equal(effectFor(asked, rule(gives, outer), rule(wins, inner)), wins, JSON.stringify(inner));
		}
});

test("of two rules of which neither is narrower, the deny rule decides", () => {
	const pem = rule("deny", { argument: path("**/*.pem") });
	assert.equal(effectOn(path("/ada/x/key.pem"), pem, rule("allow", { argument: path("/ada/**") })), "deny");
	const push = rule("deny", { argument: command("git push") });
	const session = rule("allow", { scope: "session", owner: "s", argument: command("git") });
	const asked = request({ session: "s", arguments: [command("git push")] });
	assert.equal(effectFor(asked, push, session), "deny");
	assert.equal(effectFor(request(), rule("allow"), rule("ask"), rule("deny")), "deny");
	assert.equal(effectFor(request(), rule("allow"), rule("ask")), "ask");
});

test("a rule of the user never loosens a rule in the settings, but may tighten it", () => {
	const managed = (effect: Effect) => rule(effect, { origin: "settings" });
	const own = (effect: Effect) => rule(effect, { tool: "shell" });
	assert.equal(effectFor(request(), managed("deny"), own("allow")), "deny");
	assert.equal(effectFor(request(), managed("ask"), own("allow")), "ask");
	assert.equal(effectFor(request(), managed("allow"), own("deny")), "deny");
	const specific = rule("allow", { origin: "settings", tool: "shell", channel: "cli" });
	assert.equal(effectFor(request(), specific, own("deny")), "allow");
	const push = rule("deny", { origin: "settings", argument: command("git push") });
	const log = rule("allow", { tool: "shell", argument: command("git log") });
	assert.equal(effectOn(command("git log x"), push, log), "allow");
	assert.equal(effectOn(command("git log push"), push, log), "ask");
});

test("an allow rule with an invalid value allows nothing, and such a deny rule denies all of its kind", () => {
	assert.equal(effectOn(command("a"), rule("allow", { argument: command("a; b") })), "ask");
	assert.equal(effectOn(command("a"), rule("deny", { argument: command("a; b") })), "deny");
	assert.equal(effectOn(path("/a"), rule("deny", { argument: command("a; b") })), "ask");
});

const ROUNDS = 4000;
const words = (list: string) => list.split("|");
const STRICTNESS: Record<Effect, number> = { allow: 0, ask: 1, deny: 2 };

const CALLED = {
	command: words(
		"git|git status|git push -f|rm -rf x|git status; rm x|git $X|git 'x|A=1 git|sudo git push|git -C . push|sh -c 'rm x'|make b.pem|git log --output=x",
	),
	path: words("/w/a|/w/a/b.pem|/w/../x|/x/b.pem|/w"),
	host: words("a.io|b.a.io|b.a.io:80|localhost"),
};
const NAMED = {
	command: words("git|git status|git push|rm|rm -rf|git push -f|a; b|git *|git status $|make $|sudo"),
	path: words("/w/**|**/*.pem|/w/a/*|a/**|/w/a/b.pem|**|/x/?.pem"),
	host: words("a.io|*.a.io|*|b.a.io:80|*:80"),
};
const TEXTS = words("rm it|see /x/b.pem|at b.a.io|nothing");

function randomArgument({ pick }: Random, values: typeof CALLED): CallArgument {
	const kind = pick(["command", "path", "host"] as const);
	return { kind, value: pick(values[kind]) };
}

const randomRequestArgument = (random: Random): RequestArgument =>
	random.below(5) === 0 ? { kind: "text", value: random.pick(TEXTS) } : randomArgument(random, CALLED);

function randomRequest(random: Random): PermissionRequest {
	const { pick, below } = random;
	return {
		...{ channel: pick(["tools", "cli"] as const), tool: pick(["shell", "show"]), session: pick(["s", "t"]) },
		arguments: times(below(3), () => randomRequestArgument(random)),
		...{ title: "", workspace: "file:///w", mutates: below(4) > 0 },
	};
}

function randomRule(random: Random, id: number, effect?: Effect): PermissionRule {
	const { pick, below } = random;
	const scope = pick(["always", "workspace", "session"] as const);
	const owner = { always: undefined, workspace: "file:///w", session: "s" }[scope];
	return {
		...{ id: `${id}`, scope, createdAt: below(5), origin: pick(["person", "person", "settings"] as const) },
		effect: effect ?? pick(["allow", "allow", "ask", "deny"] as const),
		...(owner && { owner }),
		...(below(3) === 0 && { channel: pick(["tools", "cli"] as const) }),
		...(below(2) === 0 && { tool: pick(["shell", "sh*", "show", "*"]) }),
		...(below(3) > 0 && { argument: randomArgument(random, NAMED) }),
	};
}

const decide = (request: PermissionRequest, rules: readonly PermissionRule[]) =>
	verdictOf(request, rules, { ignoreCase: false });

function assertAsStrict({ effect }: { readonly effect: Effect }, other: Effect, ...why: unknown[]): void {
	assert.ok(STRICTNESS[effect] >= STRICTNESS[other], JSON.stringify([effect, other, ...why]));
}

test("the order of rules is irrelevant, a further deny rule never allows, and an allow rule never restricts", () => {
	const random = createRandom(1);
	for (let round = 0; round < ROUNDS; round++) {
		const rules = times(random.below(7), (id) => randomRule(random, id));
		const request = randomRequest(random);
		const before = decide(request, rules);
		const at = random.below(7);
		assert.deepEqual(decide(request, [...rules.slice(at), ...rules.slice(0, at)].toReversed()), before);
		const deny = randomRule(random, 99, "deny");
		assertAsStrict(decide(request, [...rules, deny]), before.effect, request, rules, deny);
		const allow = randomRule(random, 99, "allow");
		const after = decide(request, [...rules, allow]);
		assertAsStrict(before, after.effect, request, rules, allow);
		if (request.arguments.every(({ kind }) => kind === "text")) continue;
		const more = [...request.arguments, randomRequestArgument(random)];
		assertAsStrict(decide({ ...request, arguments: more }, rules), before.effect, more, rules);
	}
});
