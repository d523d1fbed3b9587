import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import * as z from "zod";
import { fileSchemas } from "../scripts/fileSchemas.ts";
import { toolContributions } from "../scripts/toolContributions.ts";
import { DOORS } from "../src/core/permission/door.ts";
import { settings } from "../src/core/settings.ts";
import { CHAINS_FOLDER, chainFileSchema } from "../src/orchestrator/plan/chainFile.ts";
import { EFFECTS } from "../src/permissions/shapes.ts";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const { contributes } = manifest;
const declaredSettings = Object.assign(
	{},
	...contributes.configuration.map(({ properties }: Schema) => properties),
);
const sources = globSync("src/{vscode/**/*,extension}.ts")
	.map((file) => readFileSync(file, "utf8"))
	.join("\n");

test("the tools in the manifest are those of the code (npm run manifest writes them)", () => {
	assert.deepEqual(contributes.languageModelTools, toolContributions());
});

test("the schemas of people's files are those of the code (npm run manifest writes them)", () => {
	for (const [path, schema] of Object.entries(fileSchemas())) {
		assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), schema, path);
		assert.ok(
			contributes.yamlValidation.some(({ url }: { url: string }) => url === `./${path}`),
			path,
		);
	}
});

test("every command in the manifest is registered, and every registered one is in the manifest", () => {
	const declared = contributes.commands.map(({ command }: { command: string }) => command).sort();
	const registered = [...sources.matchAll(/^\t\t"(copilot-ld\.\w+)": /gm)].map(([, id]) => id).sort();
	assert.deepEqual(registered, declared);
});

test("the settings in the manifest are those of the code, with the same values allowed", () => {
	const expected = z.toJSONSchema(settings, { io: "input" }).properties ?? {};
	const ids = Object.keys(expected).map((name) => `copilot-ld.${name}`);
	assert.deepEqual(Object.keys(declaredSettings).sort(), ids.sort());
	for (const [name, schema] of Object.entries(expected))
		assert.deepEqual(
			constraintsOf(declaredSettings[`copilot-ld.${name}`]),
			constraintsOf(schema as Schema),
			name,
		);
});

test("a rule in the settings has the effects and doors of the code", () => {
	const { effect, door } = declaredSettings["copilot-ld.permissions.rules"].items.properties;
	assert.deepEqual([effect.enum, door.enum], [EFFECTS, DOORS]);
});

test("every setting is read by the code", () => {
	for (const name of Object.keys(settings.shape))
		assert.ok(sources.includes(`"${name}"`), `${name} is read nowhere`);
});

test("dependencies are pinned", () => {
	const all = { ...manifest.dependencies, ...manifest.devDependencies };
	for (const [name, version] of Object.entries(all)) assert.match(`${version}`, /^\d/, name);
});

test("no proposed API is asked for", () => {
	assert.equal("enabledApiProposals" in manifest, false);
});

interface Schema {
	readonly type?: string | readonly string[];
	readonly anyOf?: readonly Schema[];
	readonly [more: string]: unknown;
}

/** What a value must be, without the words for people; `anyOf` is how zod says that there may be none. */
function constraintsOf({ anyOf = [], ...schema }: Schema): object {
	const { items, additionalProperties, minimum, maximum, ...all }: Schema = Object.assign(
		{},
		schema,
		...anyOf,
	);
	const { type: inside } = (items ?? additionalProperties ?? {}) as Schema;
	return {
		type: [schema, ...anyOf].flatMap(({ type = [] }) => type),
		inside: inside === "object" ? undefined : inside,
		bounds: [minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum],
		enum: all["enum"],
		default: all["default"],
	};
}

test("editors check saved chains by the schema of the code (npm run manifest writes it)", () => {
	const [{ fileMatch, url }] = contributes.yamlValidation;
	assert.deepEqual([fileMatch].flat(), [`${CHAINS_FOLDER}/*.yaml`]);
	assert.deepEqual(JSON.parse(readFileSync(url, "utf8")), chainFileSchema());
});
