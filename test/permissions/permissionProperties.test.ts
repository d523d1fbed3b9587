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
import { createRandom, type Random } from "../support/random.ts";

const ROUNDS = 4000;
const words = (list: string) => list.split("|");
const STRICTNESS: Record<Effect, number> = { allow: 0, ask: 1, deny: 2 };

const LINES = words(
	"git|git status|git push -f|rm -rf x|git status; rm x|git $X|git 'x|A=1 git|sudo git push|git -C . push|sh -c 'rm x'|make b.pem|git log --output=x",
);
const TEXTS = ["rm it", "see /x/b.pem", "at b.a.io", "nothing"];
const COMMANDS = words("git|git status|git push|rm|rm -rf|git push -f|a; b|git *|git status $|make $|sudo");
const PATHS = ["/w/a", "/w/a/b.pem", "/w/../x", "/x/b.pem", "/w"];
const GLOBS = ["/w/**", "**/*.pem", "/w/a/*", "a/**", "/w/a/b.pem", "**", "/x/?.pem"];
const HOSTS = ["a.io", "b.a.io", "b.a.io:80", "localhost"];
const HOST_PATTERNS = ["a.io", "*.a.io", "*", "b.a.io:80", "*:80"];

function randomArgument(
	{ pick }: Random,
	values: Record<CallArgument["kind"], readonly string[]>,
): CallArgument {
	const kind = pick(["command", "path", "host"] as const);
	return { kind, value: pick(values[kind]) };
}

function randomRequestArgument(random: Random): RequestArgument {
	if (random.below(5) === 0) return { kind: "text", value: random.pick(TEXTS) };
	return randomArgument(random, { command: LINES, path: PATHS, host: HOSTS });
}

function randomRequest(random: Random): PermissionRequest {
	const { pick, below } = random;
	return {
		door: pick(["tools", "cli"] as const),
		tool: pick(["shell", "show"]),
		title: "",
		arguments: Array.from({ length: below(3) }, () => randomRequestArgument(random)),
		session: pick(["s", "t"]),
		workspace: "file:///w",
		mutates: below(4) > 0,
	};
}

function randomRule(random: Random, id: number, effect?: Effect): PermissionRule {
	const { pick, below } = random;
	const scope = pick(["always", "workspace", "session"] as const);
	const owner = { always: undefined, workspace: "file:///w", session: "s" }[scope];
	return {
		id: `${id}`,
		effect: effect ?? pick(["allow", "allow", "ask", "deny"] as const),
		scope,
		origin: pick(["person", "person", "settings"] as const),
		createdAt: below(5),
		...(owner && { owner }),
		...(below(3) === 0 && { door: pick(["tools", "cli"] as const) }),
		...(below(2) === 0 && { tool: pick(["shell", "sh*", "show", "*"]) }),
		...(below(3) > 0 && {
			argument: randomArgument(random, { command: COMMANDS, path: GLOBS, host: HOST_PATTERNS }),
		}),
	};
}

function forAll(
	seed: number,
	look: (request: PermissionRequest, rules: readonly PermissionRule[], random: Random) => void,
): void {
	const random = createRandom(seed);
	for (let round = 0; round < ROUNDS; round++) {
		const rules = Array.from({ length: random.below(7) }, (_, id) => randomRule(random, id));
		look(randomRequest(random), rules, random);
	}
}

const decide = (request: PermissionRequest, rules: readonly PermissionRule[]) =>
	verdictOf(request, rules, { ignoreCase: false });

function isAsStrict(verdict: Effect, other: Effect): boolean {
	return STRICTNESS[verdict] >= STRICTNESS[other];
}

test("the order of the rules never matters", () => {
	forAll(1, (request, rules, { below }) => {
		const shuffled = rules
			.map((rule) => ({ rule, key: below(1000) }))
			.sort((a, b) => a.key - b.key)
			.map(({ rule }) => rule);
		assert.deepEqual(decide(request, shuffled), decide(request, rules));
	});
});

test("one more deny never widens anything", () => {
	forAll(2, (request, rules, random) => {
		const before = decide(request, rules).effect;
		const deny = randomRule(random, 99, "deny");
		const after = decide(request, [...rules, deny]).effect;
		assert.ok(isAsStrict(after, before), JSON.stringify({ request, rules, deny, before, after }));
	});
});

test("one more allow never narrows anything but what a wider ask or deny of the same rank held", () => {
	forAll(3, (request, rules, random) => {
		const before = decide(request, rules).effect;
		const after = decide(request, [...rules, randomRule(random, 99, "allow")]).effect;
		assert.ok(isAsStrict(before, after), JSON.stringify({ request, rules }));
	});
});

test("one more argument never makes a call freer", () => {
	forAll(4, (request, rules, random) => {
		if (request.arguments.every(({ kind }) => kind === "text")) return;
		const more = randomRequestArgument(random);
		const wider = { ...request, arguments: [...request.arguments, more] };
		assert.ok(isAsStrict(decide(wider, rules).effect, decide(request, rules).effect));
	});
});

test("nothing that may change something is allowed unless rules allow each of its arguments", () => {
	forAll(5, (request, rules) => {
		if (!request.mutates || decide(request, rules).effect !== "allow") return;
		for (const argument of request.arguments.filter(({ kind }) => kind !== "text")) {
			const alone = { ...request, arguments: [argument] };
			const freeing = rules.filter(
				(rule) => rule.effect === "allow" && decide(alone, [rule]).effect === "allow",
			);
			assert.ok(freeing.length > 0 || isSplit(argument), JSON.stringify({ argument, rules }));
		}
	});
});

/** Whether several rules may share one argument: each allows a command of it. */
function isSplit({ kind, value }: RequestArgument): boolean {
	return kind === "command" && value.includes(";");
}

test("a person's rule never frees what the rules of the settings alone hold", () => {
	forAll(6, (request, rules) => {
		const managed = rules.filter(({ origin }) => origin === "settings");
		const held = decide(request, managed);
		if (!held.rule) return;
		assert.ok(isAsStrict(decide(request, rules).effect, held.effect), JSON.stringify({ request, rules }));
	});
});

test("a rule that is the other narrowed to a tool wins over it, unless it frees what the settings hold", () => {
	forAll(7, (request, [rule], { pick }) => {
		if (!rule || rule.tool !== undefined || decide(request, [rule]).rule?.id !== rule.id) return;
		const effect = pick(["allow", "ask", "deny"] as const);
		const narrowed = { ...rule, id: "narrowed", tool: request.tool, effect };
		const alone = decide(request, [narrowed]);
		// An allow is taken to the letter and a deny is not, so the one may meet less than the other.
		if (alone.rule !== narrowed) return;
		if (request.arguments.length === 1) assert.equal(decide(request, [rule, narrowed]).effect, alone.effect);
	});
});

const WRAPPED = words("sudo|env A=1|command|nohup|timeout 5|xargs|busybox|sh -c|git -c a=b|eval");

function wrapped(line: string, wrapper: string): string {
	return wrapper.endsWith(" -c") ? `${wrapper} "${line}"` : `${wrapper} ${line}`;
}

test("a wrapper never frees a command", () => {
	forAll(8, (request, rules, { pick }) => {
		// A line that is not clear is asked about by itself, whatever the rules say.
		const line = pick(LINES.filter((text) => text !== "git 'x"));
		const wrapper = pick(WRAPPED);
		const on = (value: string) => ({ ...request, arguments: [{ kind: "command" as const, value }] });
		// Rules that allow the wrapper itself free what it runs.
		const others = rules.filter(({ effect, argument }) => effect !== "allow" || !argument);
		const plain = decide(on(line), others).effect;
		if (plain === "allow") return;
		const effect = decide(on(wrapped(line, wrapper)), others).effect;
		assert.notEqual(effect, "allow", JSON.stringify({ line, wrapper, others }));
	});
});
