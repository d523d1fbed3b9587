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
import { times } from "../support/times.ts";

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

type Look = (request: PermissionRequest, rules: readonly PermissionRule[], random: Random) => void;

function forAll(seed: number, look: Look): void {
	const random = createRandom(seed);
	for (let round = 0; round < ROUNDS; round++) {
		const rules = times(random.below(7), (id) => randomRule(random, id));
		look(randomRequest(random), rules, random);
	}
}

const decide = (request: PermissionRequest, rules: readonly PermissionRule[]) =>
	verdictOf(request, rules, { ignoreCase: false });

function assertAsStrict({ effect }: { readonly effect: Effect }, other: Effect, ...why: unknown[]): void {
	assert.ok(STRICTNESS[effect] >= STRICTNESS[other], JSON.stringify([effect, other, ...why]));
}

test("the order of rules is irrelevant, a further deny rule never allows, and an allow rule never restricts", () => {
	forAll(1, (request, rules, random) => {
		const before = decide(request, rules);
		const at = random.below(7);
		assert.deepEqual(decide(request, [...rules.slice(at), ...rules.slice(0, at)].toReversed()), before);
		const deny = randomRule(random, 99, "deny");
		assertAsStrict(decide(request, [...rules, deny]), before.effect, request, rules, deny);
		const allow = randomRule(random, 99, "allow");
		const after = decide(request, [...rules, allow]);
		assertAsStrict(before, after.effect, request, rules, allow);
		if (request.arguments.every(({ kind }) => kind === "text")) return;
		const more = [...request.arguments, randomRequestArgument(random)];
		assertAsStrict(decide({ ...request, arguments: more }, rules), before.effect, more, rules);
	});
});

test("a mutating call is allowed only if rules allow each of its arguments", () => {
	forAll(5, (request, rules) => {
		if (!request.mutates || decide(request, rules).effect !== "allow") return;
		// A command line may need several rules, one for each command.
		const isWhole = ({ kind, value }: RequestArgument) => kind !== "text" && !value.includes(";");
		for (const argument of request.arguments.filter(isWhole)) {
			const alone = { ...request, arguments: [argument] };
			const isFreedBy = (rule: PermissionRule) => decide(alone, [rule]).effect === "allow";
			assert.ok(rules.some(isFreedBy), JSON.stringify({ argument, rules }));
		}
	});
});

test("a rule of the user never allows a call that rules in the settings restrict", () => {
	forAll(6, (request, rules) => {
		const managed = rules.filter(({ origin }) => origin === "settings");
		const held = decide(request, managed);
		if (held.rule) assertAsStrict(decide(request, rules), held.effect, request, rules);
	});
});
