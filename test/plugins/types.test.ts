import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import type { Field, ValueType } from "../../src/core/plugin/valueType.ts";
import { assemble } from "../../src/plugins/manifest/assemble.ts";
import { readManifest } from "../../src/plugins/manifest/readManifest.ts";
import { checkInput, inputSchemaOf } from "../../src/plugins/types/checkValue.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { assertNone } from "../support/assertNone.ts";
import { pluginHead } from "../support/pluginHead.ts";
import { createRandom } from "../support/random.ts";
import { assertWrong, EXAMPLE, foundPlugin } from "./example.ts";

const SIMPLE = ["string", "date", "iri", "int", "float", "bool", "any"] as const;

test("every type accepts the same values as its JSON Schema", () => {
	const random = createRandom(14);
	const { pick } = random;
	const typeOf = (depth: number): ValueType => {
		const kind = depth > 3 ? "simple" : pick(["simple", "list", "dict", "object"]);
		if (kind === "list") return { kind, items: typeOf(depth + 1) };
		if (kind === "dict") return { kind, values: typeOf(depth + 1) };
		return kind === "object" ? { kind, fields: fieldsOf(depth + 1) } : { kind: pick(SIMPLE) };
	};
	const fieldsOf = (depth: number): Field[] =>
		["a", "b", "c"].slice(0, random.below(4)).map((name) => ({
			...{ name, type: typeOf(depth), isRequired: random.below(2) === 0 },
		}));
	const plain = ["urn:x", "text", 1, 1.5, true, null];
	const dates = ["2026-02-28", "2026-02-30", "2026-2-3", "2026-13-01"];
	const values = [...plain, ...dates, [], ["urn:x"], [1], {}, { a: 1 }, { a: "urn:x", b: [] }];
	for (let round = 0; round < 100; round++) {
		const fields = fieldsOf(0);
		const schema = inputSchemaOf(fields, {});
		const judge = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
		for (let attempt = 0; attempt < 10; attempt++) {
			const names = fields.map(({ name }) => name).concat(random.below(9) === 0 ? "other" : []);
			const value = Object.fromEntries(names.map((name) => [name, pick(values)]));
			const mistake = checkInput(value, fields, {});
			// JSON Schema cannot express the syntax of IRIs.
			if (mistake?.includes("IRI")) continue;
			const isGood = judge.safeParse(value).success;
			assert.equal(mistake === undefined, isGood, `${mistake} ${JSON.stringify({ fields, value })}`);
		}
	}
});

test("a damaged file offers all of its commands or has an error at one of its lines", () => {
	const random = createRandom(15);
	const scraps = "|- |  |{|]|type: x|&a *a|enum: [|🎈|\t|: :|null|<<: *b|'".split("|");
	let plugins = 0;
	for (let round = 0; round < 50; round++) {
		const lines = EXAMPLE.split("\n");
		for (let change = 0; change <= random.below(3); change++) {
			const at = random.below(lines.length);
			const line = lines[at] ?? "";
			const cut = random.below(line.length + 1);
			const changed = line.slice(0, cut) + random.pick(scraps) + line.slice(cut + random.below(3));
			lines.splice(at, random.below(3), changed);
		}
		const text = lines.join("\n");
		const { manifest, problems } = readManifest(text, { uri: "file:///p", name: "p" });
		const isWrong = problems.some(({ severity }) => severity === "error");
		const written = text.match(/command_name:/g) ?? [];
		assert.ok(isWrong || manifest?.commands.length === written.length, text);
		const isInFile = problems.every(({ line }) => line >= 1 && line <= lines.length);
		assert.ok(isInFile, text);
		if (manifest) plugins++;
	}
	assert.ok(plugins > 2 && plugins < 48, `${plugins}`);
});

test("the schema of a value that accepts references allows references; a caller without results refuses references", () => {
	const text = EXAMPLE.replace("asset_ref_acceptable: false", "asset_ref_acceptable: true").replace(
		"parameter: { type: string }",
		"parameter: { type: string, asset_ref_acceptable: true }",
	);
	const { manifest, problems } = readManifest(text, { uri: "file:///x", name: "example" });
	assertNone(problems.map(({ message }) => message));
	const [first, second] = manifest?.commands ?? [];
	assert.ok(first && second);
	const schema = JSON.stringify(inputSchemaOf(first.parameters, manifest?.types ?? {}));
	const anyOf =
		/"param_name_1":\{"anyOf":\[\{"type":"string","enum":\["one","two"\]\},\{"type":"string","pattern":"\^asset:\/\/"/;
	assert.match(schema, anyOf);
	const given = foundPlugin("x", EXAMPLE.replace('"List[int]"', "asset_ref")).manifest?.commands[0];
	assert.partialDeepStrictEqual(given?.parameters[1], { type: { kind: "any" }, takesRefs: true });
	assert.equal(checkInput({ param: "text" }, second.parameters, {}), undefined);
	for (const param of ["asset://1/a", { asset_id: "1", field_path: ["a"] }])
		assert.match(checkInput({ param }, second.parameters, {}) ?? "", /“param” refers to a result, but this/);
});

const LIMITED = "query: 'ASK { $words ?a 1 }', limit: 5";
const POSTED = "url: 'https://a.example/', method: POST, body: '{{words}}'";

for (const [short, executor, hosts = ""] of [
	["query: ASK { ?a ?b $words }", "sparql, query: 'ASK { ?a ?b $words }'"],
	[`query: { ${LIMITED} }`, `sparql, ${LIMITED}`],
	["search: '{{words}}'", "retrieval, query: '{{words}}'"],
	["prompt: What is {{words}}?", "prompt, template: 'What is {{words}}?'"],
	["http: 'https://a.example/{{words}}'", "http, url: 'https://a.example/{{words}}'", "hosts: [a.example]\n"],
	[`http: { ${POSTED} }`, `http, ${POSTED}`, "hosts: [a.example]\n"],
	["run: git log -- {{ words }}", "program, program: git, arguments: [log, --, '{{words}}']"],
	["run: [git, log, 'a {{words}}']", "program, program: git, arguments: [log, 'a {{words}}']"],
] as const)
	test(`the short form “${short}” of a command is equivalent to its long form`, () => {
		const [first, second] = [
			`commands:\n  - name: do_it\n    parameters: { words: string }\n    ${short}\n`,
			`${pluginHead("small", "title: small, description: small").replace("group_id: g", "group_id: local")}${hosts}commands:
  - { command_name: do_it, description: do it, executor: { kind: ${executor} },
      parameter: { type: { words: { type: string } } } }
`,
		].map((text) => {
			const { plugins, problems } = assemble([foundPlugin("small", text)], []);
			assert.deepEqual(problems, []);
			return plugins.map(({ commands, ...plugin }) => [plugin, commands.map(({ line: _, ...rest }) => rest)]);
		});
		assert.deepEqual(first, second);
	});

const SMALL = `commands:
  - name: find
    parameters: { words: string }
    search: "{{words}}"
`;

test("a mistake in a short form is reported at its line", () => {
	assertWrong(SMALL, [
		["name: find", "name: find it", /^2 error: .*letters, digits/],
		["name: find", "label: find", /^2 error: The command has no name/],
		[/ {4}search.*\n/, "", /^2 error: .*does not say what it does. Write one of query:, search:/],
		[/ {4}search/, "    prompt: lamps\n    search", /^4 error: A command does one thing: “search” is there/],
		[/search.*$/m, "search: { query: '{{words}}', most: 1 }", /^4 error: “most” is not supported/],
		[/search.*$/m, "search: ''", /^4 error: .*must not be empty/],
		[/search.*$/m, "run: git log '{{words}}'", /^4 error: Quotation marks are not read/],
	]);
});

test("a wrong command is dropped; any other mistake drops the plugin", () => {
	const read = (commands: string, more = "") =>
		readManifest(`commands:\n${commands}${more}`, { uri: "file:///p", name: "p" });
	const good = "  - { name: good, query: 'ASK {}' }\n";
	const wrong = ["{ name: no good, query: 'ASK {}' }", "{ name: bad }", "{ name: bad, query: 3 }", "nothing"];
	for (const command of [...wrong, "{ name: bad, query: 'ASK {}', parameters: { a: string } }"]) {
		const bad = `  - ${command}\n`;
		const { manifest, problems } = read(bad + good);
		assertMapped(manifest?.commands ?? [], ({ name }) => name, ["good"], bad);
		assertMapped(problems, ({ line, severity }) => [line, severity], [[2, "error"]], bad);
		assert.equal(read(bad).manifest, undefined, bad);
	}
	const hook = "hooks:\n  - { event: before_prompt, command: bad }\n";
	assert.equal(read(`  - { name: bad }\n${good}`, hook).manifest, undefined, "a guard is never omitted");
	assert.equal(read(good, "type: 3\n").manifest, undefined);
});
