import assert from "node:assert/strict";
import { test } from "node:test";
import { createExclusion, createInclusion } from "../../../src/worker/files/exclusion.ts";

interface Rules {
	readonly globs?: readonly string[];
	readonly patterns?: readonly string[];
	/** `.gitignore` files by their folder, outermost first. */
	readonly gitignores?: Readonly<Record<string, string>>;
}

function remaining(
	paths: readonly string[],
	{ globs = [], patterns = [], gitignores = {} }: Rules,
): string[] {
	let exclusion = createExclusion(globs, patterns);
	for (const [folder, text] of Object.entries(gitignores)) exclusion = exclusion.withGitignore(folder, text);
	return paths.filter((path) => !exclusion.excludes(path));
}

const DEFAULTS = [
	...["node_modules/", "docs/node_modules/", ".git/", "dist/", "package-lock.json", "app.min.js"],
	...[".env", "deploy/.env.local", "deploy/server.pem"],
];

const RULES: readonly (readonly [
	title: string,
	rules: Rules,
	out: readonly string[],
	kept: readonly string[],
])[] = [
	[
		"folders of tools, lock files, minified code and secrets are left out by default",
		{},
		DEFAULTS,
		["docs/", ".github/", "dist.md"],
	],
	[
		"the configuration takes back what a default excludes",
		{ patterns: ["!dist/"] },
		["out/"],
		["dist/", "dist/a.md"],
	],
	[
		"a nested .gitignore speaks of its own folder only",
		{ gitignores: { "docs/": "*.log\n/drafts/\n!keep.log\n# not a rule\n\nold/x.md\n" } },
		["docs/a.log", "docs/deep/a.log", "docs/drafts/", "docs/old/x.md"],
		["a.log", "drafts/", "docs/keep.log", "docs/deep/drafts/"],
	],
	[
		"an inner .gitignore overrides an outer one",
		{ gitignores: { "": "*.md\n", "docs/": "!*.md\n" } },
		["a.md"],
		["docs/b.md"],
	],
	[
		"the name of a folder is no pattern, whatever is in it",
		{ gitignores: { "a[b]*!#/": "x.md\n" } },
		["a[b]*!#/x.md"],
		["ab!#/x.md"],
	],
	[
		"the editor's globs begin at the folder and may hold alternatives",
		{ globs: ["**/*.{tmp,bak}", "build", "assets/**"] },
		["a.tmp", "deep/b.bak", "build/", "assets/logo.svg"],
		["deep/build/", "c.md"],
	],
];

for (const [title, rules, out, kept] of RULES)
	test(title, () => assert.deepEqual(remaining([...out, ...kept], rules), kept));

test("only what is included counts, and everything where nothing is", () => {
	const paths = ["docs/a.md", "notes.md", "src/a.ts"];
	assert.deepEqual(paths.filter(createInclusion(["docs/", "/notes.md"])), ["docs/a.md", "notes.md"]);
	assert.deepEqual(paths.filter(createInclusion([])), paths);
});
