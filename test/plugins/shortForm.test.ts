import assert from "node:assert/strict";
import { test } from "node:test";
import { assemble } from "../../src/plugins/manifest/assemble.ts";
import { foundPlugin, problemsIn } from "./foundPlugin.ts";

test("a command is a name and one word for what it does; the long form says the same", () => {
	const long = (parameter: string, executor: string, more = "") =>
		`group_id: local\nartifact_id: small\nversion: 1.0.0\ntype: plugin\nas_plugin: true\ninfo: { title: small, description: small }\n${more}commands:\n  - { command_name: do_it, description: do it, parameter: { type: ${parameter} }, executor: ${executor} }\n`;
	const words = "{ words: { type: string } }";
	const plain = (text: string) => {
		const { plugins, problems } = assemble([foundPlugin("small", text)], []);
		assert.deepEqual(problems, [], text);
		return plugins.map(({ commands, ...plugin }) => [
			plugin,
			commands.map(({ line: _, ...command }) => command),
		]);
	};
	const hosts = "hosts: [a.example]\n";
	for (const [short, executor, more] of [
		["query: ASK { ?a ?b $words }", '{ kind: sparql, query: "ASK { ?a ?b $words }" }'],
		[
			"query: { query: 'ASK { ?a ?b $words }', limit: 5 }",
			'{ kind: sparql, query: "ASK { ?a ?b $words }", limit: 5 }',
		],
		["search: '{{words}}'", '{ kind: retrieval, query: "{{words}}" }'],
		["prompt: What is {{words}}?", '{ kind: prompt, template: "What is {{words}}?" }'],
		["http: 'https://a.example/{{words}}'", '{ kind: http, url: "https://a.example/{{words}}" }', hosts],
		[
			"http: { url: 'https://a.example/', method: POST, body: '{{words}}' }",
			'{ kind: http, url: "https://a.example/", method: POST, body: "{{words}}" }',
			hosts,
		],
		["run: git log -- {{ words }}", '{ kind: program, program: git, arguments: [log, --, "{{words}}"] }'],
		[
			"run: [git, log, 'a b {{words}}']",
			'{ kind: program, program: git, arguments: [log, "a b {{words}}"] }',
		],
	] as const)
		assert.deepEqual(
			plain(`commands:\n  - name: do_it\n    parameters: { words: string }\n    ${short}\n`),
			plain(long(words, executor, more)),
			short,
		);
});

const SMALL = `commands:
  - name: find
    parameters: { words: string }
    search: "{{words}}"
`;

test("what is wrong with a short form is told at its line", () => {
	for (const [from, to, expected] of [
		["name: find", "name: find it", /^2 error: .*letters, digits/],
		["name: find", "label: find", /^2 error: The command has no name/],
		[/ {4}search.*\n/, "", /^2 error: .*does not say what it does. Write one of query:, search:/],
		[/ {4}search/, "    prompt: lamps\n    search", /^4 error: A command does one thing: “search” is there/],
		[/search.*$/m, "search: { query: '{{words}}', most: 1 }", /^4 error: “most” is not supported/],
		[/search.*$/m, "search: ''", /^4 error: .*must not be empty/],
		[/search.*$/m, "http: ftp://a.example/{{words}}", /^4 error: An address begins with https/],
		[/search.*$/m, "http: https://a.{{words}}/", /^4 error: The host must not contain placeholders/],
		[/search.*$/m, "run: git log '{{words}}'", /^4 error: Quotation marks are not read/],
		[/search.*$/m, "run: '{{words}} -n'", /^4 error: .*give the name of a program/],
	] as const) {
		const problems = problemsIn(SMALL.replace(from, to));
		assert.ok(
			problems.some((problem) => expected.test(problem)),
			`${to}: ${problems.join("\n") || "nothing"}`,
		);
	}
});
