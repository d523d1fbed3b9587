import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_PASSAGE } from "../../src/knowledge/passages/passages.ts";
import { documentOf } from "../support/documents.ts";

async function parse(name: string, text: string) {
	return (await documentOf(`file:///src/${name}`, text)).passages;
}

async function outline(name: string, text: string): Promise<string[]> {
	return (await parse(name, text)).map(({ lines, title }) => `${lines.start}-${lines.end} ${title}`);
}

const body = (indent: string, lines: number) =>
	Array.from({ length: lines }, (_, index) => `${indent}step(${index}, "some words to fill the line");`).join(
		"\n",
	);

test("a small file is one passage, named after its first declaration", async () => {
	assert.deepEqual(
		await outline(
			"a.ts",
			'import { b } from "./b.ts";\n\n/** Doc. */\nexport function run() {\n\treturn b;\n}\n',
		),
		["1-6 a.ts › export function run()"],
	);
});

test("a passage is not named after a name that is imported over several lines", async () => {
	const text = `import {\n\ttype LegResults,\n\tfuse as join,\n} from "./fuse.ts";\n\nexport function rank() {\n}\n`;
	assert.deepEqual(await outline("a.ts", text), ["1-7 a.ts › export function rank()"]);
});

test("neither imports nor a license are passages of their own, unless there is nothing else", async () => {
	const imports = Array.from(
		{ length: 40 },
		(_, index) => `import {\n\ttype Pump${index},\n} from "./pumps/${index}.ts";`,
	);
	const license = `/*\n * Copyright of the harbour.\n${" * You may keep it as it is.\n".repeat(60)} */\n`;
	const titles = await outline(
		"a.ts",
		`${license}\n${imports.join("\n")}\n\nfunction run() {\n${body("\t", 20)}\n}\n`,
	);
	assert.deepEqual(titles, ["186-207 a.ts › function run()"]);
	assert.equal((await outline("b.ts", imports[0] ?? "")).length, 1);
});

test("functions that do not fit together are passages of their own, whole, with their comments", async () => {
	const text = `// First.\nfunction one() {\n${body("\t", 20)}\n}\n\n// Second.\nfunction two() {\n${body("\t", 20)}\n}\n`;
	assert.deepEqual(await outline("a.js", text), [
		"1-23 a.js › function one()",
		"25-47 a.js › function two()",
	]);
});

test("a long class is cut at its methods, which are named under it", async () => {
	const method = (name: string) => `    def ${name}(self):\n${body("        ", 25).replaceAll(";", "")}\n`;
	const text = `class Engine:\n    """Doc."""\n\n${method("start")}\n${method("stop")}`;
	assert.deepEqual(await outline("engine.py", text), [
		"1-2 engine.py › class Engine",
		"4-29 engine.py › class Engine › def start(self)",
		"31-56 engine.py › class Engine › def stop(self)",
	]);
});

test("code without any structure is cut at lines", async () => {
	const passages = await parse("data.js", body("", 200));
	assert.ok(passages.length > 5);
	assert.ok(passages.every(({ text }) => text.length <= MAX_PASSAGE));
	assert.equal(passages.at(-1)?.lines.end, 200);
});

test("indentation and names are left as they are", async () => {
	const [passage] = await parse("a.py", "\n    def camelCaseName():\n        pass\n");
	assert.equal(passage?.text, "    def camelCaseName():\n        pass");
	assert.deepEqual(passage?.lines, { start: 2, end: 3 });
});
