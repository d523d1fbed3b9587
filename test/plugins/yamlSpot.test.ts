import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { entriesAt, valuesOf } from "../../src/plugins/help/schemaAt.ts";
import { spotAt } from "../../src/plugins/help/yamlSpot.ts";

function at(marked: string) {
	const before = marked.slice(0, marked.indexOf("¦")).split("\n");
	const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
	return spotAt(marked.replace("¦", ""), position);
}

const FILE = `group_id: g
info:
  title: T
  ¦
commands:
  - command_name: find
    description: D
    executor:
      kind: http
      url: u
  - command_name: other
`;

test("a place in a file of YAML is known by the names around it, though the file is not finished", () => {
	const where = (marked: string) => {
		const { path, key, isKey, beside } = at(marked);
		return [path.join("/"), key, isKey, [...beside.keys()].join()];
	};
	const moved = (from: string, to: string) => where(FILE.replace("¦", "").replace(from, to));
	assert.deepEqual(where(FILE), ["info", "", true, "title"]);
	assert.deepEqual(moved("group_id: g", "group_¦id: g"), ["", "group_id", true, "info,commands"]);
	assert.deepEqual(moved("title: T", "title: ¦T"), ["info", "title", false, ""]);
	assert.deepEqual(moved("description: D", "desc¦"), ["commands/-", "desc", true, "command_name,executor"]);
	assert.deepEqual(moved("url: u", "ti¦"), ["commands/-/executor", "ti", true, "kind"]);
	assert.deepEqual(moved("kind: http", "kind: ¦"), ["commands/-/executor", "kind", false, "url"]);
	assert.deepEqual(moved("- command_name: other", "- comm¦"), ["commands/-", "comm", true, ""]);
	assert.deepEqual(moved("info:", "list:\n- a: 1\n  b¦"), ["list/-", "b", true, "a,title"]);
	assert.deepEqual(moved("title: T", "executor: { kind: http, ur¦l: x }"), [
		"info/executor",
		"ur",
		true,
		"kind,url",
	]);
	assert.deepEqual(moved("title: T", "type: { a: { type: ¦"), ["info/type/a", "type", false, "a"]);
	for (const odd of ["¦", "\t¦", "- - ¦", ": ¦", "}}}¦", "a: }{¦", "\n\n¦"]) where(odd);
});

test("the schema of the file says what may stand there, by what stands beside", () => {
	const schema = JSON.parse(readFileSync("media/schemas/plugin.schema.json", "utf8"));
	const names = (marked: string) => {
		const { path, beside } = at(marked);
		return [...new Set(entriesAt(schema, path, beside).flatMap((entries) => Object.keys(entries)))];
	};
	assert.ok(names("gr¦").includes("group_id"));
	assert.deepEqual(names(FILE.replace("¦", "").replace("url: u", "¦")), [
		"kind",
		"method",
		"url",
		"resource",
		"headers",
		"body",
		"timeout",
	]);
	assert.deepEqual(names("commands:\n  - executor: { kind: program, ¦ }"), [
		"kind",
		"program",
		"arguments",
		"input",
		"resource",
		"timeout",
	]);
	const kinds = entriesAt(schema, ["commands", "-", "executor"], new Map()).flatMap(({ kind }) =>
		valuesOf(kind),
	);
	assert.deepEqual(kinds.slice(0, 4), ["sparql", "retrieval", "prompt", "vscode"]);
	assert.ok(names("commands:\n  - parameter:\n      type:\n        name: { ¦").includes("required"));
	assert.deepEqual(names("none:\n  ¦"), []);
	assert.deepEqual(names("config:\n  resources:\n    - name: a\n      ¦"), ["type", "id", "name", "config"]);
});
