import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { readLocatedYaml } from "../../src/base/yaml/locatedYaml.ts";
import { readPlainYaml } from "../../src/base/yaml/plainYaml.ts";
import { entriesAt, valuesOf } from "../../src/plugins/help/schemaAt.ts";
import { spotAt } from "../../src/plugins/help/yamlSpot.ts";
import { createRandom } from "../support/random.ts";

/** The text, and the place of the mark in it. */
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
		return entriesAt(schema, path, beside).flatMap((entries) => Object.keys(entries));
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

const SCALARS = [
	...[
		"1",
		"-0",
		"01",
		"0o14",
		"0x1F",
		"1_000",
		"1e3",
		"1.",
		".5",
		"-.inf",
		"~",
		"Null",
		"nUll",
		"TRUE",
		"yes",
	],
	...[
		"2024-01-01",
		"12:30",
		"<<",
		"=",
		"''",
		"'a''b'",
		'"\\u0041\\n"',
		"a #b",
		"#c",
		"&a x",
		"*a",
		"!t x",
		"!!str 1",
	],
	...[
		"|\n    x\n\n",
		">-\n    x\n      y\n\n    z",
		"[1 , 2,]",
		"{a: , b: }",
		'{"a":1}',
		"- - 1",
		"\t1",
		"a\n    b",
		"--- x",
	],
	...[
		"\ufeffx",
		"123456789012345678901234567890",
		"1e400",
		"a:b",
		"::",
		"{{a}}",
		"a\r b",
		"\u0085",
		"'a\n    b'",
		"%x",
	],
];
const NAMES = [
	"a",
	"b c",
	"a.b",
	"'q'",
	"1",
	"true",
	"null",
	"? k",
	"__proto__",
	"constructor",
	"é",
	"&x k",
	"<<",
];

test("the fast reader of YAML says what the other one says, and where, or nothing", () => {
	const random = createRandom(14);
	const pick = (from: readonly string[]) => from[random.below(from.length)] ?? "";
	const entry = () =>
		pick([
			`${pick(NAMES)}: ${pick(SCALARS)}\n`,
			`${pick(NAMES)}:\n  - ${pick(SCALARS)}\n  - ${pick(SCALARS)}\n`,
			`${pick(NAMES)}:\n  x: ${pick(SCALARS)}\n  y: ${pick(SCALARS)}\n`,
			`${pick(NAMES)}:   # c\r\n\r\n    ${pick(SCALARS)}\r\n`,
		]);
	let read = 0;
	for (let round = 0; round < 3000; round++) {
		const text = `${pick(["", "", "---\n", "\ufeff"])}${entry()}${entry()}${pick(["", "...\n", "}", "\t"])}`;
		const fast = readPlainYaml(text);
		if (!fast) continue;
		read++;
		const whole = readLocatedYaml(text);
		assert.deepEqual(fast.value, whole.value, JSON.stringify(text));
		for (const path of [[], ["a"], ["a", 1], ["a.b", "y"], ["b c", "x", 0]])
			if (!/[|>]/.test(text))
				assert.equal(fast.lineOf(path), whole.lineOf(path), JSON.stringify([text, path]));
	}
	assert.ok(read > 50, `${read}`);
	for (const text of [
		"a: &x 1",
		"a: *x",
		"a: !t 1",
		"a: 1\na: 2",
		"a: [",
		"a: 1\n---\nb: 2",
		"%YAML 1.1\n---\na: no",
		"",
	])
		assert.equal(readPlainYaml(text), undefined, text);
});
