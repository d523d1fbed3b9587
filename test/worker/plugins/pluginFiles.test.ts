import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { type TestContext, test } from "node:test";
import { Worker } from "node:worker_threads";
import { follow } from "../../../src/base/jobs/follow.ts";
import { requireAgreed } from "../../../src/plugins/share/requireAgreed.ts";
import { createPluginFiles } from "../../../src/worker/plugins/pluginFiles.ts";
import { assertMapped } from "../../support/assertMapped.ts";
import { pluginHead } from "../../support/pluginHead.ts";
import { type Files, makeWorkspace, never } from "../workspace.ts";

const INFO = "title: T, description: D";
const RETRIEVAL = "kind: retrieval, query: lamp";

const plugin = (name: string, info = INFO, executor = RETRIEVAL) => `${pluginHead(name, info)}commands:
  - command_name: find
    description: Finds
    executor: { ${executor} }
`;

const at = (place: string, name: string) => `${place}/.copilot-ld/plugins/${name}/plugin.yaml`;

async function open(t: TestContext, files: Files) {
	const workspace = await makeWorkspace(t, files);
	const folders = [{ uri: workspace.uri("work"), name: "work" }];
	const plugins = createPluginFiles({ folders, home: workspace.path("home") });
	const names = async () => (await plugins.registry(never)).plugins.map(({ name }) => name);
	const problems = async () =>
		(await plugins.registry(never)).problems.map(({ uri, message }) => [uri.split("/").at(-2), message]);
	return { workspace, plugins, names, problems };
}

test("the registry has plugins of folders and of the user's home, and follows changes of files", async (t) => {
	const { workspace, plugins, names, problems } = await open(t, {
		[at("work", "b")]: plugin("b"),
		[at("work", "a")]: plugin("a"),
		[at("home", "own")]: plugin("own"),
		"work/.copilot-ld/plugins/readme.md": "",
		"work/.copilot-ld/plugins/empty/notes.txt": "",
	});
	assert.deepEqual(await names(), ["a", "b", "own"]);
	const [first] = (await plugins.registry(never)).plugins;
	assert.deepEqual(first?.source, { uri: workspace.uri(at("work", "a")), level: "workspace" });
	await workspace.write({ [at("work", "b")]: "oops: [" });
	const values = "own: { config: { limit: 3 } }\nnone: {}";
	await workspace.write({ "home/.copilot-ld/plugins/config.yaml": values });
	assert.deepEqual(await names(), ["a", "own"]);
	assert.equal((await problems()).length, 2);
	await workspace.remove("work/.copilot-ld/plugins/b");
	assert.deepEqual(await problems(), [["plugins", "There is no plugin “none”, or it has errors."]]);
	let told = 0;
	const ending = new AbortController();
	const watching = plugins.watch(() => told++, ending.signal);
	plugins.filesChanged([workspace.uri("work/a.md"), workspace.uri("work/.copilot-ld/config.yaml")]);
	assert.equal(told, 0);
	plugins.filesChanged([workspace.uri(at("work", "c"))]);
	plugins.filesChanged([workspace.uri("work/.copilot-ld")]);
	plugins.setFolders([{ uri: workspace.uri("work"), name: "work", isExtra: true }]);
	assert.equal(told, 3);
	assert.deepEqual(await names(), ["own"]);
	ending.abort();
	await watching;
});

test("a prompt is read from a file in the plugin's folder, but not from elsewhere", async (t) => {
	const prompt = (file: string) => plugin("p", `${INFO}, prompt_file_name: "${file}"`);
	const given = { [at("work", "p")]: prompt("prompt.md"), "work/secret.md": "secret", "secret.md": "secret" };
	const { workspace, plugins, problems } = await open(t, given);
	assert.match((await problems())[0]?.[1] ?? "", /prompt file cannot be read: ENOENT/);
	await workspace.write({ "work/.copilot-ld/plugins/p/prompt.md": "Be brief." });
	assert.equal((await plugins.registry(never)).plugins[0]?.prompt, "Be brief.");
	await symlink(workspace.path("secret.md"), workspace.path("work/.copilot-ld/plugins/p/link.md"));
	await mkdir(workspace.path("work/.copilot-ld/plugins/p/folder"));
	const others = ["link.md", "folder", "a\\\\b", "C:x"];
	for (const file of ["../../../secret.md", "..", ".", workspace.path("secret.md"), ...others]) {
		await workspace.write({ [at("work", "p")]: prompt(file) });
		const { plugins: found, problems: told } = await plugins.registry(never);
		assert.deepEqual([found.length, told.length], [0, 1], file);
		assert.match(told[0]?.message ?? "", /prompt file cannot be read/, file);
	}
});

test("links out of the folder are not followed, and an invalid file does not affect other plugins", async (t) => {
	const { workspace, names, problems } = await open(t, {
		[at("work", "good")]: plugin("good"),
		"elsewhere/plugin.yaml": plugin("outside"),
		[at("work", "binary")]: new Uint8Array([0xff, 0xfe, 0x00]),
		"work/.copilot-ld/plugins/deep/plugin.yaml/file": "",
	});
	await symlink(workspace.path("elsewhere"), workspace.path("work/.copilot-ld/plugins/out"));
	assert.deepEqual(await names(), ["good"]);
	assert.deepEqual((await problems()).map(([name]) => name).sort(), ["binary", "deep", "out"]);
});

test("a plugin's fingerprint changes with files in its folder and the workspace's configuration", async (t) => {
	const script = { "work/.copilot-ld/plugins/p/lib/script.sh": "one" };
	const { workspace, plugins } = await open(t, { [at("work", "p")]: plugin("p"), ...script });
	const fingerprint = async () => (await plugins.registry(never)).plugins[0]?.fingerprint;
	const seen = [await fingerprint()];
	assert.match(seen[0] ?? "", /^[0-9a-f]{64}$/);
	for (const files of [
		{ "work/.copilot-ld/plugins/p/lib/script.sh": "two" },
		{ "work/.copilot-ld/plugins/p/lib/more.sh": "" },
		{ [at("work", "p")]: plugin("p", "title: E, description: E") },
		{ "work/.copilot-ld/plugins/config.yaml": "p: { config: { limit: 3 } }" },
	]) {
		await workspace.write(files);
		seen.push(await fingerprint());
	}
	assert.equal(new Set(seen).size, seen.length);
	await workspace.write({ "home/.copilot-ld/plugins/config.yaml": "p: { config: { own: 3 } }" });
	await workspace.write({ "work/.copilot-ld/plugins/p/.git/index": "changes all the time" });
	assert.equal(await fingerprint(), seen.at(-1));
	await symlink(workspace.path("elsewhere"), workspace.path("work/.copilot-ld/plugins/p/lib/link"));
	assert.equal(await fingerprint(), undefined);
});

for (const program of ["program: ./run.sh", "program: sh, arguments: [.copilot-ld/plugins/p/run.sh]"])
	test(`a changed script does not run, even before the change is noticed: ${program}`, async (t) => {
		const { workspace, plugins } = await open(t, {
			[at("work", "p")]: plugin("p", INFO, `kind: program, ${program}`),
			"work/.copilot-ld/plugins/p/run.sh": "echo one",
		});
		const followed = follow(plugins);
		t.after(followed.close);
		const [reviewed] = (await followed.registry(never)).plugins;
		const [command] = reviewed?.commands ?? [];
		assert.ok(reviewed && command);
		const agreeing = { consentStateOf: async () => "agreed" as const, followed };
		await requireAgreed(agreeing, reviewed, command);
		await workspace.write({ "work/.copilot-ld/plugins/p/run.sh": "echo two" });
		const [kept] = (await followed.registry(never)).plugins;
		assert.ok(kept);
		assert.equal(kept.fingerprint, reviewed.fingerprint, "the change is not noticed yet");
		await assert.rejects(requireAgreed(agreeing, kept, command), /has changed since the user agreed/);
	});

test("a folder cannot replace or disable a user's plugin that may refuse calls", async (t) => {
	const guard = (version: string) =>
		`${plugin("guard").replace("1.0.0", version)}hooks:\n  - { event: before_call, command: find, deny_when: "no" }\n`;
	const { plugins } = await open(t, {
		[at("home", "guard")]: guard("1.0.0"),
		[at("work", "guard")]: plugin("guard"),
		[at("work", "newer")]: guard("9.0.0"),
		"work/.copilot-ld/plugins/config.yaml": "guard: { disabled: true }",
	});
	const { plugins: found, problems } = await plugins.registry(never);
	assertMapped(found, ({ name, source, isDisabled, version }) => [name, source.level, isDisabled, version], [
		["guard", "user", false, "1.0.0"],
	]);
	assert.match(problems.map(({ message }) => message).join(), /“guard” belongs to.*is version 1\.0\.0/s);
});

test("a query that is invalid or writes is an error at its line", async (t) => {
	const queries = {
		update: "DELETE WHERE { ?s ?p ?o }",
		service: "SELECT ?s { SERVICE <http://elsewhere.example> { ?s ?p ?o } }",
		words: "which lamps are there",
		fine: "SELECT ?s { ?s ex:unknown ?o } LIMIT 3",
	};
	const files = Object.entries(queries).map(([id, query]) => {
		return [at("work", id), plugin(id, INFO, `kind: sparql, query: "${query}"`)] as const;
	});
	const { plugins } = await open(t, Object.fromEntries(files));
	const { plugins: found, problems } = await plugins.registry(never);
	assertMapped(found, ({ name }) => name, ["fine"]);
	const told = problems.map(({ line, message }) => `${line} ${message.slice(0, 18)}`).sort();
	assert.deepEqual(told, ["10 A query must begin", "10 SERVICE is refused", "10 The graph is read-"]);
});

const keeper = (more = "") => `${pluginHead("keeper", INFO, "copilot")}hosts: ["127.0.0.1:8080"]
${more}
config: { resources: [{ type: http, id: server, config: { url: "http://127.0.0.1:8080/api" } }] }
`;

const asks = (name: string, more = "") =>
	`${plugin(name, INFO, "kind: http, resource: server, url: /logs")}${more}\n`;

test("plugins in a copilot's folder belong to the copilot, and can inherit the copilot's resources", async (t) => {
	const within = "work/.copilot-ld/plugins/keeper/plugins";
	const { workspace, plugins, problems } = await open(t, {
		[at("work", "keeper")]: keeper("inherit_resources: true"),
		[`${within}/logs/plugin.yaml`]: asks("logs"),
		[`${within}/deep/plugin.yaml`]: keeper().replace("artifact_id: keeper", "artifact_id: deep"),
		[`${within}/hooked/plugin.yaml`]: asks("hooked", "hooks: [{ event: after_call, command: find }]"),
		[at("work", "other")]: asks("other"),
	});
	const found = (await plugins.registry(never)).plugins;
	const places = ["keeper in undefined", "keeper-logs in keeper"];
	assertMapped(found, (one) => `${one.name} in ${one.within}`, places);
	assert.deepEqual(await problems(), [
		["deep", "The folder of a copilot can contain plugins, but no other copilots."],
		["hooked", "A plugin in the folder of a copilot cannot have hooks."],
		["other", "There is no resource “server”. Available: none."],
		["other", "An address begins with https:// or http://."],
	]);
	const [copilot, logs] = found;
	const executor = copilot?.commands[0]?.executor;
	assert.deepEqual(executor?.kind === "prompt" && executor.plugins, ["keeper-logs"]);
	assert.partialDeepStrictEqual(logs?.commands, [{ executor: { url: "http://127.0.0.1:8080/api/logs" } }]);
	assert.deepEqual(logs?.hosts, ["127.0.0.1:8080"]);
	const otherPort = keeper("inherit_resources: true").replaceAll("8080", "8081");
	await workspace.write({ [at("work", "keeper")]: otherPort });
	const [, moved] = (await plugins.registry(never)).plugins;
	assert.partialDeepStrictEqual(moved?.commands, [{ executor: { url: "http://127.0.0.1:8081/api/logs" } }]);
	assert.notEqual(moved?.fingerprint, logs?.fingerprint);
	await workspace.write({ [at("work", "keeper")]: keeper() });
	assertMapped((await plugins.registry(never)).plugins, ({ name }) => name, ["keeper"]);
});

test("a file that changes during reading never gets the fingerprint of other content", async (t) => {
	const within = "work/.copilot-ld/plugins/keeper/plugins";
	const others = Array.from({ length: 20 }, (_, index) => [`${within}/a${index}/plugin.yaml`, plugin("a")]);
	const texts = [asks("logs"), asks("evil")];
	const { workspace, plugins } = await open(t, {
		[at("work", "keeper")]: keeper("inherit_resources: true"),
		...Object.fromEntries(others),
		[`${within}/logs/plugin.yaml`]: texts[0] ?? "",
	});
	const said = async () => (await plugins.registry(never)).plugins.find(({ name }) => name === "keeper-logs");
	const good = await said();
	const workerData = { path: workspace.path(`${within}/logs/plugin.yaml`), texts };
	const source = `const { workerData: { path, texts } } = require("worker_threads");
		for (let at = 0; ; at++) require("fs").writeFileSync(path, texts[at % 2]);`;
	const writer = new Worker(source, { eval: true, workerData });
	t.after(() => writer.terminate());
	for (let look = 0; look < 40; look++) {
		const found = await said();
		if (found?.artifactId !== "logs") assert.notEqual(found?.fingerprint, good?.fingerprint);
	}
	await writer.terminate();
});
