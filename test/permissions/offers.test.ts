import assert from "node:assert/strict";
import { test } from "node:test";
import type {
	CallArgument,
	PermissionRequest,
	PermissionRule,
	Permissions,
	Verdict,
} from "../../src/core/permission/permission.ts";
import { inWords, phrase } from "../../src/core/phrase.ts";
import { type AskPerson, decide, offersFor } from "../../src/permissions/decide.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { assertNone } from "../support/assertNone.ts";
import { createFakePermissions } from "../support/fakePermissions.ts";
import { listed } from "../support/listed.ts";
import { ALL, effectFor, requestOf, ruleOf } from "./judging.ts";

const call = (tool: string, ...args: CallArgument[]) =>
	requestOf({ tool, arguments: args, workspace: "file:///w" });
const shell = (value: string) => call("shell", { kind: "command", value });
const valuesFor = (request: PermissionRequest) => offersFor(request).map(({ argument }) => argument?.value);

function rulesFor(request: PermissionRequest): PermissionRule[] {
	const all = { ...ALL, tool: request.tool };
	const offers = offersFor(request);
	return offers.map(({ argument }, at) => ({ ...all, id: `${at}`, ...(argument && { argument }) }));
}

const isFreed = (request: PermissionRequest, ...rules: PermissionRule[]) =>
	effectFor(request, ...rules) === "allow";

/** Rows separated by bars or line breaks, each split at its arrows. */
const rows = (text: string) => Array.from(text.trim().split(/ \| |\n/), (row) => row.split(" → "));

/** Lines with the rules offered for them, narrowest first. */
const OFFERED = rows(`
git status -s → git status -s * → git status | git log --oneline -5 src → git log --oneline -5 * → git log | npm test → npm test $
ls -la src → ls -la * | grep -rn x src → grep -rn * | kubectl get pods -n a → kubectl get pods -n * → kubectl get
gh pr view 5 --json title → gh pr view 5 --json * → gh pr view | git push origin main → git push origin main $
git stash list → git stash list * → git stash list | touch a.txt → touch a.txt $ | touch /etc/a → touch /etc/a $
npm run build → npm run build $ | rm -rf x → rm -rf x $ | ./run.sh a → ./run.sh a $ | git config core.pager x → git config core.pager x $
git -c core.pager=x log → git -c core.pager=x log $ | git log --output=x → git log --output=x $
git fetch https://x.io/y → git fetch https://x.io/y $ | docker compose exec a sh → docker compose exec a sh $
constructor x → constructor x $ | toString -x push → toString -x push $ | __proto__ x → __proto__ x $
`);

test("rules offered for a plain command, narrowest first, allow the command and name what they allow", () => {
	for (const [line = "", ...offered] of OFFERED) {
		assert.deepEqual(valuesFor(shell(line)), offered);
		assert.ok(rulesFor(shell(line)).every((rule) => isFreed(shell(line), rule)));
		for (const { argument, frees } of offersFor(shell(line)))
			assert.ok(inWords(frees).includes(argument?.value.replace(/ [*$]$/, "") ?? "?"), inWords(frees));
	}
	const status = "&& rm x / ; rm x / | sh / $(rm x) / `rm x` / > x / \nrm x".split(" / ");
	const unclear = ["git log & rm x", 'git "status"', "A=1 git status", "git log *"];
	for (const line of [...status.map((more) => `git status ${more}`), ...unclear])
		assert.deepEqual(valuesFor(shell(line)), [], line);
});

/** Commands whose further words may do anything, so only a rule for exactly this line is offered. */
const exact = listed(`
git rebase main | git fetch origin | git fetch | git pull | git clone a | git push | git clean -n | git branch | git reset | git checkout a
git stash | git archive x | git tag | git format-patch a | git remote | git commit | npm test | npm run build | npm install | go test
go vet | go build | cargo test | cargo build | docker build . | pip download x | terraform plan | dotnet test | dotnet build | touch a
mkdir a | make test | curl a | find . | tar -tf a | git push origin main | uniq a | pip install a | uv pip install a | uniq -c a
apt install a | npm install a | pnpm add a | yarn workspace a test | git restore a | sed 5p a | bun test | rspec a | phpunit a | gh api x
mypy a | cargo add a | go get a | gem install a | brew install a | composer require a | poetry add a | docker pull a | npm ci | go install a
git switch a | git merge a | git tag v1 | git branch a | tee a | cp a b | mv a b | ln a b | dd if=a of=b | xxd a | truncate a | mktemp a
date | vitest run | jest a | mocha a | pylint a | ruff check | flake8 a | coverage run a | nyc a | cargo clippy | eslint a | prettier a
tsc | npx a | ssh h | rsync a b | python a.py | ./a | rm a
`);

/** Pairs of commands: a user who allows the first would not expect to allow the second. */
const pairs = rows(`
git log → git log --output=x | git log → git log --outp=x | git diff → git diff --ext-diff | git diff → git diff --output x
git show → git show --textconv | git grep x → git grep -Orm x | git grep x → git grep --open-files-in-pager=rm x
git status → git -c core.fsmonitor=x status | git status → git -C /evil status | git status → git --git-dir=/evil status
git status → A=1 git status | git status → git status > x | git status → git status $X | git worktree list → git worktree add x
npm ls → npm exec x | npm view x → npm view x --registry=http://evil | docker compose ps → docker compose exec a sh
docker compose ps → docker compose run a | docker ps → docker run x | docker ps → docker -H evil ps | kubectl get pods → kubectl exec a
kubectl get pods → kubectl get pods --kubeconfig=x | kubectl get pods → kubectl get pods --token x | pip list → pip install x
gh pr list → gh api x | gh pr view → gh pr merge | brew list → brew uninstall x | apt list → apt -o x=y list
systemctl status → systemctl stop x | systemctl status → systemctl -H evil status | uv pip list → uv run x | sort a → sort -o x a
sort a → sort --compress-program=rm a | rg x → rg --pre rm x | rg x → rg --pre=rm x | cat a → cat ~/.ssh/id | tree → tree -o x
ls → ls $(rm x) | sort a → sort --o=b a | kubectl get a → kubectl get --raw b | gh pr view 1 → gh pr view 1 --web
docker ps → docker ps --config x | tree a → tree --output=b | file a → file -C -m b | rg x → rg --hostname-bin=b x
git grep x → git grep --open=b x | git diff → git diff --no-index a | git log → git log --ext a | git show → git show --out=x
git blame a → git blame --contents=/x a | git cat-file -p a → git cat-file --textconv a | git rev-parse a → git rev-parse --parseopt
`);

test("an offered rule never allows a command that does more", () => {
	for (const line of exact) assert.deepEqual(valuesFor(shell(line)), [`${line} $`]);
	const freed = pairs.flatMap(([asked = "", more = ""]) =>
		rulesFor(shell(asked))
			.filter((rule) => isFreed(shell(more), rule))
			.map(({ argument }) => [asked, more, argument?.value]),
	);
	assertNone(freed);
});

/** Rules that users write, with lines that match but may do more. */
const beyond = rows(`
git log → git log --output=x | git → git log --output=x | git → git config a b | git → git bisect run x | find → find . -name x -delete
sed → sed 1e x a | sed → sed s/a/b/e a | sed → sed 's/a/b/;1e x' a | sed → sed w.b a | sed → sed -n 'e' a | sed * → sed 1e x | awk → awk 'BEGIN{system("x")}' a | awk → awk -F : '{print > $1}' a | sort → sort --o=b a
sort → sort --ou b a | sort → sort -uo b a | git reset → git reset --ha | bun test → bun test --preload x | dotnet build → dotnet build -p:x=y
rspec → rspec -r x | phpunit → phpunit --bootstrap x | gh api → gh api -X DELETE x | mypy → mypy --install-types | git stash → git stash drop
git push → git push origin +main | git push → git push origin :main | git push * → git push origin +main | git remote → git remote set-url a b
git * → git config a b | git fetch → git fetch ext::x | make → make CC=x | tar → tar xf a.tar | export → export PATH=x | gh pr → gh pr merge
npm → npm exec x | docker → docker run x | kubectl → kubectl delete x | git worktree → git worktree add x | date → date 01010000
`);

/** Rules that users write, with lines that users run every day. */
const daily = rows(`
git log → git log --oneline -5 | git log --output=x → git log --output=x | git → git push | git → git status -s | find → find . -type f -name x
sed → sed -n 5p a.txt | sed → sed s/a/b/g a.txt | awk → awk '{print $1}' a | sort → sort -rn a | git diff → git diff --stat HEAD~1 | ls → ls -la src
npm test → npm test | npm test → npm test a.test.ts | npm run build → npm run build | grep → grep -rn x src | cat → cat a b | git add → git add -A
git commit → git commit -m x | git push → git push -u origin main | git checkout → git checkout -b x | git branch → git branch -a | make → make -j4 x
tsc → tsc --noEmit | cargo test → cargo test --release | go test → go test -race ./... | pytest → pytest -x -k a | docker → docker ps -a | tar → tar -tz
curl → curl -s https://x.io | wc → wc -l a | head → head -n 5 a | mkdir → mkdir -p a/b | rm → rm a | mytool → mytool a | ls * → ls a b | sudo → sudo ls -l
timeout → timeout 5 ls -l | git status * → git status a | grep * → grep a b | git --no-pager log → git --no-pager log -5 | git → git --no-pager diff
`);

test("a rule that users write allows everyday commands, and no options that may do more", () => {
	const frees = ([rule = "", line = ""]: string[]) => isFreed(shell(line), ruleOf("allow", rule));
	assertNone(beyond.filter(frees));
	assertNone(daily.filter((row) => !frees(row)));
});

test("a rule for exactly one command overrides deny rules for what it may run, but not those in the settings", () => {
	const deny = ruleOf("deny", "rm");
	const [exact] = rulesFor(shell("npm test")) as [PermissionRule];
	assert.ok(isFreed(shell("npm test"), exact, deny));
	assert.ok(!isFreed(shell("npm test x"), exact, deny));
	assert.ok(!isFreed(shell("npm test"), exact, { ...deny, origin: "settings" }));
	const [removal] = rulesFor(shell("sudo rm x")) as [PermissionRule];
	assert.ok(!isFreed(shell("sudo rm x"), removal, deny));
});

test("no rule is offered for a value with wildcards, or for all calls of a general tool such as shell", () => {
	const path = (value: string): CallArgument => ({ kind: "path", value });
	for (const [expected, tool, ...args] of [
		[[], "edit", path("/w/**")],
		[[], "fetch", { kind: "host", value: "*" }],
		[["/w/a.md"], "edit", path("/w/a.md")],
		[[], "shell", path("/a"), path("/b")],
		[[undefined], "files-move", path("/a"), path("/b")],
		[[undefined], "lamps-light_lamp"],
		...["other", "shell", "fetch"].map((name) => [[], name] as const),
	] as const)
		assert.deepEqual(valuesFor(call(tool, ...args)), expected, tool);
	assert.match(inWords(offersFor(call("lamps-light"))[0]?.frees ?? ""), /every call of lamps-light/);
});

const REQUEST: PermissionRequest = { ...shell("git log -3"), title: "git log", session: "s" };

/** Fake rules with this verdict; `written` logs added rules and decisions, in order. */
function open(verdict: Verdict) {
	const rules = { verdict, isFull: false };
	const written: string[] = [];
	const permissions: Permissions = {
		...createFakePermissions(),
		verdictFor: async () => rules.verdict,
		record: async ({ effect, by, rule = "no rule" }) => void written.push(`${effect}, ${by}, ${rule}`),
		add: async (rule) => {
			if (rules.isFull) throw new Error("disk full");
			written.push(JSON.stringify(rule));
			return { ...ALL, ...rule };
		},
	};
	const turn = new AbortController();
	const decideWith = (ask: AskPerson) =>
		decide(permissions, REQUEST, { ask, by: "person", signal: turn.signal });
	return { rules, written, turn, decideWith };
}

test("the user is asked only if no rule decides, and every decision is recorded with its author", async () => {
	for (const [verdict, answer, line] of [
		[{ effect: "ask" }, { kind: "once" }, "allow, person, no rule"],
		[{ effect: "ask" }, { kind: "deny" }, "deny, person, no rule"],
		[{ effect: "ask" }, { kind: "ruled" }, "deny, default, no rule"],
		[{ effect: "ask" }, undefined, "deny, default, no rule"],
		[{ effect: "ask", rule: ALL }, { kind: "once" }, "allow, person, all"],
		[{ effect: "allow", rule: ALL }, "unasked", "allow, rule, all"],
		[{ effect: "allow" }, "unasked", "allow, default, no rule"],
		[{ effect: "deny" }, "unasked", "deny, default, no rule"],
	] as const) {
		const { decideWith, written } = open(verdict);
		const { effect } = await decideWith(async () => (answer === "unasked" ? assert.fail("asked") : answer));
		assert.deepEqual([effect, written], [line.split(",")[0], [line]]);
	}
});

test("a rule added while the user is asked closes the question, and the stricter of rule and user decides", async () => {
	for (const [meanwhile, answer, expected] of [
		["deny", "once", "deny, default"],
		["allow", "deny", "deny, person"],
		["allow", "ruled", "allow, default"],
	] as const) {
		const { decideWith, rules, written } = open({ effect: "ask" });
		await decideWith(async ({ isOpen }) => {
			assert.equal(await isOpen(), true);
			rules.verdict = { effect: meanwhile };
			assert.equal(await isOpen(), false);
			return { kind: answer };
		});
		assert.deepEqual(written, [`${expected}, no rule`]);
	}
});

test("an answer of the user after the end of the turn decides nothing", async () => {
	const { decideWith, turn, written } = open({ effect: "ask" });
	const late = decideWith(async () => {
		turn.abort();
		return { kind: "once" };
	});
	await assert.rejects(late, { name: "AbortError" });
	assert.deepEqual(written, []);
});

test("a rule that the user chooses is saved before the decision; if saving fails, nothing is allowed", async () => {
	const offer = { argument: { kind: "command", value: "git log" }, frees: phrase("git log") } as const;
	for (const [scope, owner] of [
		["session", { owner: "s" }],
		["workspace", { owner: "file:///w", channel: "cli" }],
		["always", { channel: "cli" }],
	] as const) {
		const { decideWith, written, rules } = open({ effect: "ask" });
		const choosing: AskPerson = async ({ offers }) => {
			assertMapped(offers, ({ argument }) => argument?.value, ["git log -3 *", "git log"]);
			return { kind: "rule", scope, offer };
		};
		await decideWith(choosing);
		const [rule = "", ...decisions] = written.splice(0);
		const kept = { effect: "allow", scope, tool: "shell", argument: offer.argument, ...owner };
		assert.deepEqual([JSON.parse(rule), decisions], [kept, ["allow, person, no rule"]]);
		rules.isFull = true;
		await assert.rejects(decideWith(choosing), /disk full/);
		assert.deepEqual(written, []);
	}
});
