import assert from "node:assert/strict";
import { test } from "node:test";
import { assemble } from "../../src/plugins/manifest/assemble.ts";
import { readConfigFile } from "../../src/plugins/manifest/configFile.ts";
import { compareVersions } from "../../src/plugins/manifest/readManifest.ts";
import { fillPlaces } from "../../src/plugins/manifest/template.ts";
import { inputSchemaOf } from "../../src/plugins/types/checkValue.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { pluginHead } from "../support/pluginHead.ts";
import { times } from "../support/times.ts";
import { assertWrong, EXAMPLE, foundPlugin, problemsIn, problemText } from "./example.ts";

const SMALL = `${pluginHead("a", "title: T, description: D")}commands:
  - command_name: find
    description: Finds
    parameter: { type: { words: { type: string } } }
    executor: { kind: retrieval, query: "{{words}}" }
`;

test("the example of ConCopilot's guide is read completely, with JSON Schema and descriptions", () => {
	const { plugins, problems } = assemble([foundPlugin("example", EXAMPLE)], []);
	assert.deepEqual(problems, []);
	const [plugin] = plugins;
	const [first, second] = plugin?.commands ?? [];
	assert.ok(plugin && first && second);
	assert.deepEqual([plugin.descriptionForModel, plugin.description], ["For models.", "For people."]);
	const object = (properties: object, ...required: string[]) => ({
		...{ type: "object", properties, required, additionalProperties: false },
	});
	const [string, integer] = [{ type: "string" }, { type: "integer" }];
	const fields = {
		element_field_name1: { ...integer, description: "The first field", examples: [1] },
		element_field_name2: string,
	};
	const item = object(fields, ...Object.keys(fields));
	const properties = {
		param_name_1: { ...string, description: "The first one", enum: ["one", "two"], examples: ["one"] },
		param_name_2: { type: "array", items: integer, examples: [[1, 2]] },
		param_name_3: { type: "array", items: item },
		param_name_4: { type: "object", additionalProperties: integer },
		param_name_5: { $ref: "#/$defs/pair", description: "A pair" },
		param_name_6: { $ref: "#/$defs/pair" },
	};
	assert.deepEqual(inputSchemaOf(first.parameters, plugin.types), {
		...object(properties, "param_name_1", "param_name_3", "param_name_5"),
		$defs: { pair: object({ key_name_1: integer, key_name_2: string }, "key_name_1", "key_name_2") },
	});
	const { response = "" } = first;
	assert.match(response, /^response_field_name_1 \(string\): What .*_2 \(string, may be absent\)$/);
	assert.deepEqual(second.parameters, [{ name: "param", type: { kind: "string" }, isRequired: true }]);
	assert.deepEqual(plugin.config, [{ path: ["key1"], value: "value", origin: "plugin" }]);
});

const aliases = [..."abcdefghij"].map(
	(key, at, all) => `${key}: &${key} [${`*${all[at - 1]},`.repeat(at === 0 ? 0 : 9)}1]`,
);

const WRONG: Parameters<typeof assertWrong>[1] = [
	[/^version.*$/m, 'version: "1.0"', /^3 error: A version looks like/],
	[/^group_id.*$/m, "group_id: [g]", /^1 error: “group_id” must be a text/],
	[/^type.*$/m, "type: interactor", /^4 warning: “interactor” has no effect: the file is read as a plugin/],
	[/^as_plugin.*$/m, "as_plugin: false", /^5 error: If as_plugin/],
	[/^info.*$/m, "info: T", /^6 error: “info” must be a mapping/],
	[/^commands:/m, "comands:", /^1 error: “commands” is missing/],
	["command_name: find", "command_name: find it", /^8 error: .*letters, digits/],
	["kind: retrieval", "kind: python", /^11 error: .*must be one of these/],
	["kind: retrieval", "kind: retrieval, install: true", /^11 error: “install” is not supported/],
	["type: string", "type: text!", /^10 error: “text!” is not a type/],
	["type: string", "type: Missing", /^10 error: “Missing” is not a type, and no _type_ref/],
	["type: string", 'type: "Dict[int, string]"', /^10 error: The names in a Dict/],
	["type: string", `type: "${"List[".repeat(30)}int${"]".repeat(30)}"`, /^10 error: .*nested too deeply/],
	["type: string", "type: string, enum: [1]", /^10 error: An enum is a list/],
	["type: string", "type: string, required: maybe", /^10 error: “required” must be true or false/],
	["type: { words:", "type: { __proto__:", /^10 error: .*is not a valid name/],
	["type: { words:", "type: { _type_ref: node, next: { type: node }, words:", /^10 error: .*contains itself/],
	['"{{words}}"', '"{{others}}"', /^11 error: “others” has no value/],
	['"{{words}}"', '"all"', /^11 warning: “find” does not use its parameter/],
	[/^as_plugin/m, "setup: { pip: [evil] }\nas_plugin", /^5 warning: No packages are installed/],
	[/^as_plugin/m, "as_plugin: true\nas_plugin", /^6 error: .*unique/],
	["retrieval, query: ", "prompt, max_tokens: 5, template: ", /^11 warning: “max_tokens” has no/],
	[/^info/m, "a: &a [*a]\ninfo", /contains it/],
	[/^info/m, `a: &a ${"x".repeat(40_000)}\nb: [${"*a, ".repeat(60)}]\ninfo`, /^1 error: The aliases repeat/],
	[/^info/m, `${aliases.join("\n")}\ninfo`, /error: .*alias/],
];

test("a problem in a file is reported at its line, and the file is still read to its end", () => {
	assertWrong(SMALL, WRONG);
	for (const text of ["", "just words", "[1, 2]", "\t: :", "{".repeat(100), "x".repeat(70_000)])
		assert.match(problemsIn(text).join("\n"), /^1 error/, text.slice(0, 20));
	for (const name of ["..", "Upper", "a_b", "con.", "-a", "a".repeat(40)])
		assert.match(problemsIn(SMALL, name).join("\n"), /is not a valid plugin name/, name);
	const command = SMALL.slice(SMALL.indexOf("  - command"));
	const twice = SMALL + command.replace("find", "FIND");
	assert.match(problemsIn(twice).join("\n"), /^12 error: There are two commands “FIND”/);
	const many = times(50, (at) => command.replace("find", `c${at}`));
	assert.match(problemsIn(SMALL + many.join("")).join("\n"), /at most 50/);
});

test("the host, program or tool of an acting command must not be a placeholder", () => {
	const withExecutor = (executor: string) =>
		problemsIn(
			SMALL.replace(/executor.*\n/, `executor: { ${executor} }\n`).replace(
				/^commands/m,
				"hosts: [api.example.org, '127.0.0.1:8080']\ncommands",
			),
		);
	const url = (address: string, more = "") =>
		withExecutor(`kind: http, url: '${address}', headers: { x: '{{words}}'${more} }`);
	for (const fine of [
		url("https://api.example.org/{{words}}"),
		url("http://127.0.0.1:8080"),
		withExecutor("kind: program, program: git, arguments: [log, '{{words}}']"),
		withExecutor("kind: program, program: ./bin/tool.py, input: '{{words}}'"),
		withExecutor("kind: vscode, command: git.commit, arguments: [{ message: ['{{words}}'] }]"),
		withExecutor("kind: tool, tool: mcp_mail_send, input: { text: '{{words}}' }"),
		withExecutor("kind: chain, chain: review, template: '{{words}}'"),
	])
		assert.deepEqual(fine, []);
	for (const [found, expected] of [
		[url("https://evil.example/{{words}}"), /^12 error: “evil\.example” is not one of the plugin's hosts/],
		[url("https://{{words}}.example.org/"), /The host must not contain placeholders/],
		[url("https://api.example.org@evil.example/"), /a name and a password|not one of/],
		[url("file:///etc/passwd"), /begins with https/],
		[url("http://127.0.0.1:8080", ", host: a"), /“host” cannot be set/],
		[url("http://api.example.org:8080/"), /“api\.example\.org:8080” is not one of/],
		[withExecutor("kind: program, program: '{{words}}'"), /give the name of a program/],
		[withExecutor("kind: program, program: ./../tool, input: '{{words}}'"), /does not go up/],
		[withExecutor("kind: program, program: ./a/../../tool, input: '{{words}}'"), /does not go up/],
		[withExecutor("kind: program, program: /bin/sh, input: '{{words}}'"), /give the name of a program/],
		[withExecutor("kind: program, program: run.cmd, input: '{{words}}'"), /\.cmd and .* are not supported/],
		[withExecutor("kind: program, program: git, shell: true"), /“shell” is not supported/],
		[withExecutor("kind: vscode, command: copilot-ld.runPlugin, arguments: ['{{words}}']"), /give the id/],
		[withExecutor("kind: tool, tool: copilot-ld_plugin, input: { a: '{{words}}' }"), /not one of Copilot-LD/],
		[withExecutor("kind: agent, agent: '{{words}}', template: x"), /without placeholders/],
	] as const)
		assert.match(found.join("\n"), expected);
	const hosts = (list: string) => problemsIn(SMALL.replace(/^commands/m, `hosts: [${list}]\ncommands`));
	assert.deepEqual(hosts("example.org, 'localhost:8080', '[::1]', 10.0.0.1"), []);
	for (const host of ["'2130706433'", "0x7f.1", "'*'", "'*.example.org'", "'a/b'", "'a@b'", "https://a.io"])
		assert.match(hosts(host).join("\n"), /^7 error: .*is not a host/, host);
});

const LIMITED = "SELECT ?p { ?p ?q ?r } LIMIT $words";

test("a query is checked against its parameters, and an invalid one is an error at the query", () => {
	const query = (words: string, parameters: string) =>
		SMALL.replace(/executor.*\n/, `executor:\n      kind: sparql\n      query: ${words}\n`).replace(
			"words: { type: string }",
			parameters,
		);
	const ask = '"SELECT ?p { ?p ?q $words }"';
	assert.deepEqual(problemsIn(query(ask, "words: { type: string }")), []);
	for (const [words, parameters, problem] of [
		[ask, 'words: { type: "List[string]" }', /^13 error: \$words is a list/],
		[ask, "words: { type: Dict }", /^13 error: “words” cannot be used in a query/],
		['"SELECT (1 AS ?words) {}"', "words: { type: int }", /^13 error: The query itself/],
		['"ASK {}"', "words: { type: int }", /^13 error: .*does not use/],
		['"ASK {}"', "words: { type: int, required: false }", /^13 warning: .*does not use/],
		[`"${LIMITED}"`, "words: { type: int, required: false }", /may have no value, but LIMIT and OFFSET need/],
	] as const)
		assert.match(problemsIn(query(words, parameters)).join("\n"), problem);
	assert.deepEqual(problemsIn(query(`"${LIMITED}"`, "words: { type: int }")), []);
});

test("versions are sorted in ConCopilot's order of preference", () => {
	const sorted = ["2.0.0", "1.10.0", "1.9.9", "1.9.9-SNAPSHOT", "1.9.9-any", "1.9.9-any-SNAPSHOT", "none"];
	assert.deepEqual(sorted.toReversed().sort(compareVersions), sorted);
});

test("of several plugins, the first with a name and the preferred version of a component are used", () => {
	const other = (version: string, artifact = "a") =>
		SMALL.replace("1.0.0", version).replace("artifact_id: a", `artifact_id: ${artifact}`);
	const [old, newer] = [foundPlugin("old", SMALL), foundPlugin("new", other("1.2.0"))];
	const { plugins, problems } = assemble([old, newer, foundPlugin("new", other("3.0.0", "b"), "user")], []);
	assertMapped(plugins, ({ name, version }) => `${name} ${version}`, ["new 1.2.0"]);
	assert.deepEqual(problems.map(problemText).sort(), [
		"1 error: The name “new” belongs to new/plugin.yaml, which comes first.",
		"3 warning: new/plugin.yaml is version 1.2.0 of this component: this one is not offered.",
	]);
	const same = assemble([foundPlugin("one", SMALL), foundPlugin("two", SMALL)], []);
	assert.match(same.problems.map(problemText).join(), /^2 .*same component/);
	const apart = assemble([foundPlugin("one", SMALL), foundPlugin("two", `${SMALL}config: { id: x }\n`)], []);
	assert.equal(apart.plugins.length, 2);
});

test("configurations are merged with the origin of each value, and each instance has its own configuration", () => {
	const withConfig = `${SMALL}config: { words: lamp, deep: { a: 1, b: 2 }, list: [1, 2] }\n`;
	const file = (level: "workspace" | "user", text: string) =>
		readConfigFile(text, { uri: `file:///${level}/config.yaml`, level });
	const ours = `small:
  config: { deep: { b: 3, c: 4 }, list: [9] }
  instances:
    - { id: x, name: fog, config: { words: fog } }
    - { id: x, name: dew }
    - { id: y, name: small }
`;
	const theirs = "small:\n  config: { deep: { a: { z: 5 } } }\nfog:\n  disabled: true\nabsent: {}\n";
	const files = [file("workspace", ours), file("user", theirs)];
	const { plugins, problems } = assemble([foundPlugin("small", withConfig)], files);
	const [small, fog] = plugins;
	assertMapped(small?.config ?? [], ({ path, value, origin }) => [path.join("."), value, origin], [
		["words", "lamp", "plugin"],
		["deep.b", 3, "workspace"],
		["deep.c", 4, "workspace"],
		["list", [9], "workspace"],
		["deep.a.z", 5, "user"],
	]);
	assert.deepEqual([fog?.name, fog?.instance, fog?.isDisabled, small?.isDisabled], ["fog", "x", true, false]);
	assert.deepEqual(fog?.config.at(-1), { path: ["words"], value: "fog", origin: "workspace" });
	assertMapped(problems, ({ line, message }) => `${line} ${message}`, [
		"5 There is no plugin “absent”, or it has errors.",
		"5 There is another plugin with the id “x”.",
		"6 There is another plugin with the name “small”.",
	]);
	assert.match(file("user", "small: { enabled: 1 }").problems[0]?.message ?? "", /“enabled” is not/);
});

test("inserted values are not searched for placeholders", () => {
	const given = new Map<string, unknown>(Object.entries({ a: "{{b}} $& $1", b: [1] }));
	assert.equal(fillPlaces("<{{a}}> <{{ b }}> <{{c}}>", given), "<{{b}} $& $1> <[1]> <>");
});
