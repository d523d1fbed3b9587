import assert from "node:assert/strict";
import { test } from "node:test";
import { readManifest } from "../../src/plugins/manifest/readManifest.ts";

test("a wrong command leaves out that command, and any other mistake the plugin", () => {
	const read = (commands: string, more = "") =>
		readManifest(`commands:\n${commands}${more}`, { uri: "file:///p", name: "p" });
	const good = "  - { name: good, query: 'ASK {}' }\n";
	for (const bad of [
		"  - { name: no good, query: 'ASK {}' }\n",
		"  - { name: bad }\n",
		"  - { name: bad, query: 3 }\n",
		"  - nothing\n",
		"  - { name: bad, query: 'ASK {}', parameters: { a: string } }\n",
	]) {
		const { manifest, problems } = read(bad + good);
		assert.deepEqual(
			manifest?.commands.map(({ name }) => name),
			["good"],
			bad,
		);
		assert.deepEqual(
			problems.map(({ line, severity }) => [line, severity]),
			[[2, "error"]],
			bad,
		);
		assert.equal(read(bad).manifest, undefined, bad);
	}
	const hook = "hooks:\n  - { event: before_prompt, command: bad }\n";
	assert.equal(
		read(`  - { name: bad }\n${good}`, hook).manifest,
		undefined,
		"a guard is never left out silently",
	);
	assert.equal(read(good, "type: 3\n").manifest, undefined);
});

test("a variable that nearly has a parameter's name, and a count that may be missing, are errors", () => {
	const problemsOf = (query: string, type: string) =>
		readManifest(`commands:\n  - { name: find, query: '${query}', parameters: { words: ${type} } }\n`, {
			uri: "file:///p",
			name: "p",
		}).problems.map(({ message }) => message);
	const optional = "{ type: int, required: false }";
	for (const [query, type, expected] of [
		["SELECT ?p { ?p ?q $words, $wods }", "string", ["“wods” has no value. Did you mean “words”?"]],
		["SELECT ?p { ?p ?q $words, $word. $word ?r ?s }", "string", []],
		["SELECT ?p { ?p ?q $words } LIMIT $words", "int", []],
		[
			"SELECT ?p { ?p ?q ?r } LIMIT $words",
			optional,
			["“words” may have no value, but LIMIT and OFFSET need one: give it one in config."],
		],
	] as const)
		assert.deepEqual(problemsOf(query, type), expected, query);
});
