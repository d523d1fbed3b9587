import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { link, mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { inParallel } from "../../../src/base/jobs/inParallel.ts";
import type {
	CallArgument,
	Effect,
	PermissionRule,
	RequestArgument,
} from "../../../src/core/permission/permission.ts";
import { argumentsIn } from "../../../src/permissions/arguments/callArguments.ts";
import { makeFolder } from "../../support/folder.ts";
import { listed } from "../../support/listed.ts";
import { ALL, effectFor, effectOn, permissionsIn, requestOf, ruleFor, ruleOf } from "../judging.ts";

const found = (input: unknown) => argumentsIn(input, "/w").map(({ kind, value }) => `${kind} ${value}`);
const all: PermissionRule = { ...ALL, tool: "server-*" };

function effectOf(input: unknown, kind: CallArgument["kind"], value: string, ...rules: PermissionRule[]) {
	const call = { tool: "server-tool", workspace: "file:///w", arguments: argumentsIn(input, "/w") };
	return effectFor(requestOf(call), all, ruleFor("deny", kind, value), ...rules);
}

test("arguments are found in the input of a tool by name and by form, at any depth", () => {
	for (const [input, ...expected] of [
		[{ path: "a.txt", destination: "/etc/x" }, "path /w/a.txt", "path /etc/x", "text /etc/x"],
		[{ command: "ls", script: "rm x" }, "command ls", "command rm x"],
		[{ deep: [{ er: { sourcePath: "b" } }] }, "path /w/b"],
		[{ command: "rm", args: ["-rf", "a b"] }, "command rm -rf 'a b'", "command rm", "text -rf", "text a b"],
		[{ url: "https://b.io:8443/x" }, "host b.io:8443", "text https://b.io:8443/x"],
		[{ hostname: "evil.io" }, "host evil.io"],
		[{ uri: "file:///etc/x" }, "path /etc/x"],
		[{ files: { "/etc/x": "words" } }, "path /etc/x", "text /etc/x", "text words"],
		[{ to: "src/b", count: 3, sure: true, none: null }, "path /w/src/b", "text src/b"],
		[{ query: "lamps of Skagen" }, "text lamps of Skagen"],
		["rm x", "text rm x"],
		[undefined],
	])
		assert.deepEqual(found(input), expected);
});

/** Inputs by the kind and value of a deny rule. */
type Inputs = Readonly<Record<string, readonly unknown[]>>;

const DENIED: Inputs = {
	"path /etc/**": [
		{ path: "a", destination: "/etc/passwd" },
		{ path: "src/../../etc/x" },
		{ path: "\\etc\\x" },
	],
	"path **/*.pem": [
		...[{ source: "keys/a.pem", target: "b" }, { edits: [{ file: "x.pem" }] }],
		...["key.pem ", "key.pem.", "key.pem::$DATA"].map((path) => ({ path })),
	],
	"path /w/hr/**": [{ path: "h%72/a.md" }, { uri: "file:///w/h%72/a.md" }, { to: "./%68%72/a.md" }],
	"command rm": [{ command: "uptime", script: "rm -rf x" }],
	"command git push": [{ cmd: "git", args: ["-C", ".", "push"] }],
	"host evil.io": [{ url: "https://user@evil.io/x" }],
	"host *.evil.io": [{ endpoints: [{ host: "a.evil.io" }] }],
};

const DOUBTED: Inputs = {
	"command rm": [{ payload: "rm -rf x" }, { code: "import os; os.system('/bin/rm x')" }],
	"command git push": [{ sql: "COPY t TO PROGRAM 'git  push'" }],
	"path **/*.pem": [
		...[{ name: "key.pem" }, { body: "see (file:///w/key.pem)" }],
		...[{ text: "x".repeat(30_000) }, { command: "cat key.pem" }],
	],
	"path src/**": [{ name: "src" }],
	"path /etc/**": [{ mounts: "x:/etc/y:ro" }],
	"host evil.io": [
		{ query: "get http://evil.io/x" },
		{ remote: "git@evil.io:a/b" },
		{ command: "curl evil.io" },
	],
};

const HARMLESS = [{ query: "lamps", path: "a.txt", command: "ls", url: "https://a.io" }];
const FREE: Inputs = { "command rm": HARMLESS, "path **/*.pem": HARMLESS, "host evil.io": HARMLESS };

test("a denied argument is denied in the input of any tool; a text that may mention the argument is asked about", () => {
	for (const [effect, inputs] of Object.entries({ deny: DENIED, ask: DOUBTED, allow: FREE }))
		for (const [denied, all] of Object.entries(inputs)) {
			const [, kind, value = ""] = /^(\w+) (.*)$/.exec(denied) ?? [];
			for (const input of all)
				assert.equal(
					effectOf(input, kind as CallArgument["kind"], value),
					effect,
					JSON.stringify([denied, input]),
				);
		}
});

test("an allow rule for exactly one call overrides a deny rule that may match the call", () => {
	const own = ruleOf("allow", "cat key.pem $");
	assert.equal(effectOf({ command: "cat key.pem" }, "path", "**/*.pem", own), "allow");
	const pem = { ...own, tool: "server-tool", argument: { kind: "path", value: "**/*.pem" } } as const;
	assert.equal(effectOf({ name: "key.pem" }, "path", "**/*.pem", pem), "allow");
});

type Rules = readonly (readonly [Effect, string])[];
type Expected = Partial<Record<Effect, readonly string[]>>;

const skip = process.platform === "win32" && "links need rights there";

/** Judges calls with paths below a new folder with links; `~` in the rules is that folder. */
async function judging(t: TestContext, ...rules: Rules) {
	const home = await realpath(await makeFolder(t));
	const at = (path: string) => join(home, path);
	for (const folder of ["project/src", "outside"]) await mkdir(at(folder), { recursive: true });
	await writeFile(at("outside/key.pem"), "");
	for (const [target, link] of [
		[at("outside"), "project/src/link"],
		["../../outside/new.txt", "project/src/dangling"],
		[at("project"), "alias"],
		[at("circle"), "circle"],
	] as const)
		await symlink(target, at(link));
	const permissions = permissionsIn(at("rules"));
	for (const [effect, glob] of rules) {
		const value = glob.replace("~", home);
		await permissions.add({ effect, scope: "always", argument: { kind: "path", value } });
	}
	return async (path: string, workspace = "project"): Promise<Effect> => {
		const args = [{ kind: "path" as const, value: `${home}/${path}` }];
		const request = requestOf({ arguments: args, workspace: pathToFileURL(at(workspace)).href });
		return (await permissions.verdictFor(request)).effect;
	};
}

const LINKS = "src/link/x src/link/key.pem src/dangling src/link/../a src/new/../link/x".split(" ");
const EVERYTHING = ["allow", "**"] as const;

const LINKED: Readonly<Record<string, readonly [rules: Rules, expected: Expected]>> = {
	"an allow rule for a folder does not apply through a link out of the folder": [
		[["allow", "src/**"]],
		{ allow: ["project/src/a.ts"], ask: LINKS.map((path) => `project/${path}`) },
	],
	"a deny rule applies to each path that leads to its folder, also to missing files": [
		[EVERYTHING, ["deny", "~/outside/**"]],
		{
			allow: ["project/src/x"],
			deny: ["outside/x", "project/src/link/x", "project/src/link/a/b", "project/src/dangling"],
		},
	],
	"a deny rule for a link also applies to the target of the link": [
		[EVERYTHING, ["deny", "src/link/**"]],
		{ deny: ["project/src/link/x", "outside/x", "alias/src/link/x"] },
	],
};

for (const [title, [rules, expected]] of Object.entries(LINKED))
	test(title, { skip }, async (t) => {
		const effectOn = await judging(t, ...rules);
		for (const [effect, paths] of Object.entries(expected))
			for (const path of paths) assert.equal(await effectOn(path), effect, path);
	});

test("rules with relative paths apply if the workspace is opened by a link", { skip }, async (t) => {
	const effectOn = await judging(t, ["allow", "src/*.ts"], ["allow", "~/alias/docs/**"]);
	for (const path of ["alias/src/a.ts", "project/src/a.ts", "alias/docs/x"])
		assert.equal(await effectOn(path, "alias"), "allow", path);
	assert.equal(await effectOn("alias/src/link/a.ts", "alias"), "ask");
});

test("a path through a circular link is never allowed", { skip }, async (t) => {
	const effectOn = await judging(t, EVERYTHING);
	await assert.rejects(effectOn("circle/x"), { code: "PERMISSIONS_UNREADABLE" });
});

const run = promisify(execFile);
const bars = (text: string) => text.trim().split(/(?<! )\||\n/);

const READERS = bars(`
cat %|cat -- %|cat < %|head -n 1 %|tac %|sed -n 1p %|awk 1 %|grep -h . %|sort %|cut -c1-9 %|dd if=% status=none|diff /dev/null %|env cat %
sh -c "cat %"|bash -c "cat < %"|xargs cat <<< %|echo % | xargs cat|echo "%" | xargs -n 1 cat|N=%; cat $N|cat $(echo %)|cp % o; cat o|mv % o; cat o
exec 3< %; cat <&3|mapfile a < %; echo $a|read a < %; echo $a|find % -exec cat {} +|curl -s file://$PWD/%|curl -s FILE:$PWD/%|cd sub && cat ../%
tar c % | tar xO|timeout 5 cat %|nice cat %|eval "cat %"|ln -s $PWD/% o; cat o|git --no-pager diff --no-index /dev/null %|gzip -c % | zcat
python3 -c "print(open('%').read())"|perl -pe 1 %|base64 % | base64 -d|tee < %|paste %|cd sub; cd ..; cat %|pushd sub > o; popd > o; cat %
`);

const SPELLINGS = bars(String.raw`
hr/pay.md|h''r/pay.md|hr/pa\y.md|hr\/pay.md|h\r/pay.m\d|hr/pay.m*|hr/*|h*/p*|?r/pay.md|[h]r/pay.md|{hr/pay.md,hr/pay.md}|h{r,r}/pay.md|$PWD/hr/pay.md
"$PWD"/hr/pay.md|~+/hr/pay.md|link/pay.md|link/pa?.md|l*k/pay.md|sub/up/pay.md|s*/up/p*|./hr/../hr/pay.md|/proc/self/cwd/hr/pay.md|src/../hr/pay.md
//proc//self/./cwd/hr/pay.md|$H/pay.md|\${H}/pay.md|hr/./pay.md|hr//pay.md|*/pay.md|./*/pay.md|$(echo hr)/pay.md|h%72/pay.md|$X""hr/pay.md|'hr'/"pay".md
k.pem|k.p''em|k.p\em|k\.pem|k*|k.p?m|*.p*|[k].pem|$PWD/k.pem|./k.pem|sub/../k.pem|symbolic|s*ic|sym?olic|{k,k}.pem|"k".pem|k.$P|sub/sym.md|sub/*.md|~/k.pem|~/hr/pay.md
`).map((spelling) => spelling.replace("\\$", "$"));

async function openProject(t: TestContext) {
	const home = await realpath(await makeFolder(t));
	const project = join(home, "project");
	for (const folder of ["hr", "src", "sub"]) await mkdir(join(project, folder), { recursive: true });
	for (const path of ["hr/pay.md", "k.pem", "src/a.md", "README.md", "my file.md"])
		await writeFile(join(project, path), /pay|pem/.test(path) ? "secret\n" : "public\n");
	const links = { link: "hr", "sub/up": "../hr", symbolic: "k.pem", "sub/sym.md": "../k.pem", open: "src" };
	for (const [path, target] of Object.entries(links)) await symlink(target, join(project, path));
	await link(join(project, "k.pem"), join(project, "hard"));
	const permissions = permissionsIn(join(home, "rules"), [ALL]);
	for (const value of ["**/*.pem", "hr/**"])
		await permissions.add({ effect: "deny", scope: "always", argument: { kind: "path", value } });
	const env = { ...process.env, HOME: project, H: "hr", P: "pem", X: "" };
	const reads = async (line: string) => {
		const options = { cwd: project, env, timeout: 5_000 };
		const copy = `rm -rf ../$$; cp -a . ../$$; cd ../$$; ${line}`;
		return (await run("bash", ["-c", copy], options).catch((failed) => failed)).stdout.includes("secret");
	};
	const effectOf = async (line: string) => {
		const args = [{ kind: "command" as const, value: line }];
		const request = requestOf({ workspace: pathToFileURL(project).href, arguments: args });
		return (await permissions.verdictFor(request)).effect;
	};
	return { project, reads, effectOf };
}

test("a command line that reads a denied file is not allowed in any spelling of the path", async (t) => {
	const { project, reads, effectOf } = await openProject(t);
	const home = process.env["HOME"];
	process.env["HOME"] = project;
	t.after(() => Object.assign(process.env, { HOME: home }));
	const lines = READERS.flatMap((reader, at) =>
		SPELLINGS.filter((_, index) => at === 0 || (index + at) % 4 === 0).map((path) =>
			reader.replaceAll("%", () => path),
		),
	);
	const found = await inParallel(lines, 8, async (line) => ((await reads(line)) ? [line] : []), t.signal);
	const read = found.flat();
	t.diagnostic(`${read.length} of ${lines.length} lines read a denied file`);
	assert.ok(read.length > 200, `${read.length}`);
	const free = await Promise.all(read.map(async (one) => ((await effectOf(one)) === "allow" ? [one] : [])));
	assert.deepEqual(free.flat(), []);
});

test("a command line that reads other files is not asked about because of a denied file", async (t) => {
	const { effectOf } = await openProject(t);
	for (const line of bars(
		String.raw`cat src/a.md|cat src/*.md|wc -l *.md|git status|ls|ls -la src|head -n 5 README.md|grep -rn x src|cat my\ file.md|echo "$HOME"|cat open/a.md|git add src/*.md|cd src && cat a.md|tar czf o.tgz src|curl -s https://x.io/a|cat src/?.md|sort < README.md|cat 'my file.md'|npm ls|cat hard|grep -r public .`,
	))
		assert.equal(await effectOf(line), "allow", line);
});

const ADDRESS = "169.254.169.254";

/** Spellings of the address: numbers in every base, joined or not, and wrapped in IPv6. */
const ADDRESSES = listed(`
	169.254.169.254 | 169.0xfe.169.0xfe | 169.0376.169.0376 | 0xa9.254.0xa9.254 | 0xa9.0xfe.0xa9.0xfe
	0xa9.0376.0xa9.0376 | 0251.254.0251.254 | 0251.0xfe.0251.0xfe | 0251.0376.0251.0376 | 169.254.43518
	169.0xfe.43518 | 169.0376.43518 | 0xa9.254.0xa9fe | 0xa9.0xfe.0xa9fe | 0xa9.0376.0xa9fe | 0251.254.0124776
	0251.0xfe.0124776 | 0251.0376.0124776 | 169.16689662 | 169.0xfea9fe | 169.077524776 | 0xa9.16689662
	0xa9.0xfea9fe | 0xa9.077524776 | 0251.16689662 | 0251.0xfea9fe | 0251.077524776 | 2852039166 | 0xa9fea9fe
	025177524776 | [::ffff:a9fe:A9FE] | [0:0:0:0:0:ffff:a9fe:A9FE] | [64:ff9b::a9fe:A9FE] | [2002:a9fe:A9FE::]
	[::ffff:169.254.169.254] | [0::FFFF:169.254.169.254] | [64:ff9b::169.254.169.254] | [::169.254.169.254]
	169.254.169.254. | 169.254.169%2e254 | 169。254。169。254
`);

test("a denied IP address is denied in every notation, in inputs, command lines and texts", () => {
	const denied = ruleFor("deny", "host", ADDRESS);
	const effectOf = (args: readonly RequestArgument[]) => effectOn(args, ALL, denied);
	const effectOfLine = (value: string) => effectOf([{ kind: "command", value }]);
	const lines = bars(
		"curl %|curl http://%/x|curl //%/x|wget -q %|cat < /dev/tcp/%/80|exec 3<>/dev/tcp/%/80|nc % 80|ssh u@%|env curl %|sh -c 'curl %'|curl --url=%|curl -x % y|$X curl %|curl h''ttp://%|curl http:%|curl http://u:p@%:8",
	);
	for (const name of ADDRESSES) {
		assert.equal(effectOf(argumentsIn({ url: `http://${name}:80/x` }, "/w")), "deny", name);
		for (const line of lines) assert.notEqual(effectOfLine(line.replace("%", name)), "allow", name + line);
		assert.notEqual(effectOf(argumentsIn({ body: `see http://${name}/ or ${name}` }, "/w")), "allow", name);
	}
	assert.equal(effectOf(argumentsIn({ host: 2852039166 }, "/w")), "deny");
	for (const line of ["curl $X", "curl 169.254.169.25\\4", "wget $(cat x)", "git clone $X", "mytool $X"])
		assert.notEqual(effectOfLine(line), "allow", line);
	for (const line of bars("curl https://x.io|head -n 2852039166 x|git log -5|cat $X|git add a/*.ts|sleep 5"))
		assert.equal(effectOfLine(line), "allow", line);
	// All names of this machine are one host.
	const own = ruleFor("deny", "host", "localhost");
	const names =
		"127.0.0.1 127.1 0.0.0.0 0 [::] [::1] [::ffff:127.0.0.1] 2130706433 0x7f.1 a.localhost LOCALHOST.";
	for (const name of names.split(" "))
		assert.equal(effectOn(argumentsIn({ url: `http://${name}/` }, ""), own), "deny", name);
});
