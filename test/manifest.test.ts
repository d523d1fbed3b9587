import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import * as z from "zod";
import { fileSchemas } from "../scripts/fileSchemas.ts";
import { mcpDocs } from "../scripts/mcpTables.ts";
import { mcpTools, toolContributions, toolTexts } from "../scripts/toolContributions.ts";
import { CHANNELS, EFFECTS } from "../src/core/permission/permission.ts";
import { settings } from "../src/core/settings.ts";
import { CHAINS_FOLDER } from "../src/orchestrator/plan/chainFile.ts";
import { assertNone } from "./support/assertNone.ts";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const texts: Record<string, string> = JSON.parse(readFileSync("package.nls.json", "utf8"));
const { contributes } = manifest;
const declaredSettings = Object.assign(
	{},
	...contributes.configuration.map(({ properties }: Schema) => properties),
);
const declaredCommands: string[] = contributes.commands.map(({ command }: Schema) => command);
const sources = globSync("src/{vscode/**/*,extension}.ts")
	.map((file) => readFileSync(file, "utf8"))
	.join("\n");

test("the tools in the manifest match the code (npm run manifest writes them)", () => {
	assert.deepEqual(contributes.languageModelTools, toolContributions());
	const written = Object.entries(texts).filter(([key]) => key.startsWith("tool."));
	assert.deepEqual(Object.fromEntries(written), toolTexts());
});

test("the tables of docs/mcp.md match the code (npm run manifest writes them)", () => {
	assert.equal(readFileSync("docs/mcp.md", "utf8"), mcpDocs(mcpTools()));
});

/** Manifest fields with text for users; other fields are for programs and models. */
const FOR_PEOPLE =
	/^(altText|category|contents|contextualTitle|deprecationMessage|description|displayName|enumItemLabels|fullName|label|markdown\w+|name|sampleRequest|shortTitle|title|\w*Descriptions?)$/;
const NOT_FOR_PEOPLE = new Set(["disambiguation", "inputSchema", "modelDescription", "body"]);

function wordsIn(value: unknown, name = "manifest"): string[] {
	if (typeof value === "string") return FOR_PEOPLE.test(name) && /[A-Za-z]{2}/.test(value) ? [value] : [];
	if (Array.isArray(value)) return value.flatMap((each) => wordsIn(each, name));
	return Object.entries(value ?? {}).flatMap(([key, inside]) =>
		NOT_FOR_PEOPLE.has(key) || isId(value, key) ? [] : wordsIn(inside, key),
	);
}

/** The name of a view is a title, but that of a tool, participant or command is an identifier. */
function isId(of: unknown, key: string): boolean {
	return key === "name" && !(of instanceof Object && "contextualTitle" in of);
}

test("every text of the manifest is in package.nls.json, and every text in package.nls.json is used", () => {
	const words = wordsIn({ ...manifest, name: "", scripts: {} }).filter((word) => word !== "Copilot-LD");
	const keys = words.map((word) => /^%(.+)%$/.exec(word)?.[1] ?? `in plain: ${word}`);
	assert.deepEqual([...new Set(keys)].sort(), Object.keys(texts).sort());
});

test("each translation of the manifest has the same keys, links and code", () => {
	for (const file of globSync("package.nls.*.json")) {
		const translated: Record<string, string> = JSON.parse(readFileSync(file, "utf8"));
		assert.deepEqual(Object.keys(translated).sort(), Object.keys(texts).sort(), file);
		for (const [key, text] of Object.entries(texts))
			assert.deepEqual(keptIn(translated[key] ?? ""), keptIn(text), `${file}: ${key}`);
	}
});

function keptIn(text: string): string[] {
	return (text.match(/\(command:[^)]+\)|`[^`]+`|#[\w.]+|@copilot-ld|(?<= )\/[a-z]+/g) ?? []).sort();
}

test("the schemas of users' files match the code (npm run manifest writes them)", () => {
	assert.deepEqual(contributes.yamlValidation[0].fileMatch, `${CHAINS_FOLDER}/*.yaml`);
	const urls = contributes.yamlValidation.map(({ url }: Schema) => url);
	for (const [path, schema] of Object.entries(fileSchemas())) {
		assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), schema, path);
		assert.ok(urls.includes(`./${path}`), path);
	}
});

test("the manifest lists exactly the commands that the code registers", () => {
	const registered = [...sources.matchAll(/(?:^\t+|registerEach\(\{ )"(copilot-ld\.\w+)": /gm)]
		.map(([, id]) => id)
		.sort();
	// Only code lenses run `openResult`, with arguments.
	assert.deepEqual(registered, [...declaredCommands, "copilot-ld.openResult"].sort());
});

test("every released command ID still works, including the old IDs of renamed commands", () => {
	const registered = [...sources.matchAll(/registerCommand\(\s*"(copilot-ld\.\w+)"/g)].map(([, id]) => id);
	const released: string[] = JSON.parse(readFileSync("test/fixtures/formats/4/commands.json", "utf8"));
	const known = new Set([...declaredCommands, ...registered]);
	assertNone(released.filter((id) => !known.has(id)));
});

test("the settings in the manifest have the names, types, limits and defaults of the code", () => {
	const expected = z.toJSONSchema(settings, { io: "input" }).properties ?? {};
	const ids = Object.keys(expected).map((name) => `copilot-LD.${name}`);
	assert.deepEqual(Object.keys(declaredSettings).sort(), ids.sort());
	for (const [name, schema] of Object.entries(expected))
		assert.deepEqual(
			constraintsOf(declaredSettings[`copilot-LD.${name}`]),
			constraintsOf(schema as Schema),
			name,
		);
});

test("the manifest allows the same effects and channels in a rule as the code", () => {
	const { effect, channel } = declaredSettings["copilot-LD.permissions.rules"].items.properties;
	assert.deepEqual([effect.enum, channel.enum], [EFFECTS, CHANNELS]);
});

test("every setting is read by the code", () => {
	for (const name of Object.keys(settings.shape))
		assert.ok(sources.includes(`"${name}"`), `${name} is read nowhere`);
});

test("dependencies are pinned", () => {
	const all = { ...manifest.dependencies, ...manifest.devDependencies };
	for (const [name, version] of Object.entries(all)) assert.match(`${version}`, /^\d/, name);
});

test("the manifest enables no proposed API", () => {
	assert.equal("enabledApiProposals" in manifest, false);
});

interface Schema {
	readonly type?: string | readonly string[];
	readonly anyOf?: readonly Schema[];
	readonly [more: string]: unknown;
}

/** The constraints of a schema, without text for users; zod's `anyOf` makes a value optional. */
function constraintsOf({ anyOf = [], ...schema }: Schema): object {
	const { items, additionalProperties, properties, minimum, maximum, ...all }: Schema = Object.assign(
		{},
		schema,
		...anyOf,
	);
	const { type: inside } = (items ?? additionalProperties ?? {}) as Schema;
	return {
		type: [schema, ...anyOf].flatMap(({ type = [] }) => type),
		inside: inside === "object" ? undefined : inside,
		members: Object.entries(properties ?? {}).map(([name, member]) => [name, constraintsOf(member)]),
		bounds: [minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum],
		enum: all["enum"],
		default: all["default"],
	};
}
