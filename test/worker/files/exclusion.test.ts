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

test("folders of tools, lock files, minified code and secrets are left out by default", () => {
	const paths = [
		"node_modules/",
		"docs/node_modules/",
		".git/",
		"dist/",
		"package-lock.json",
		"app.min.js",
		".env",
		"deploy/.env.local",
		"deploy/server.pem",
	];
	assert.deepEqual(remaining([...paths, "docs/", ".github/", "dist.md"], {}), [
		"docs/",
		".github/",
		"dist.md",
	]);
});

test("the configuration takes back what a default excludes", () => {
	assert.deepEqual(remaining(["dist/", "dist/a.md", "out/"], { patterns: ["!dist/"] }), [
		"dist/",
		"dist/a.md",
	]);
});

test("a nested .gitignore speaks of its own folder only", () => {
	const gitignores = { "docs/": "*.log\n/drafts/\n!keep.log\n# not a rule\n\nold/x.md\n" };
	assert.deepEqual(
		remaining(
			[
				"a.log",
				"drafts/",
				"docs/a.log",
				"docs/deep/a.log",
				"docs/keep.log",
				"docs/drafts/",
				"docs/deep/drafts/",
				"docs/old/x.md",
			],
			{ gitignores },
		),
		["a.log", "drafts/", "docs/keep.log", "docs/deep/drafts/"],
	);
});

test("an inner .gitignore overrides an outer one", () => {
	const gitignores = { "": "*.md\n", "docs/": "!*.md\n" };
	assert.deepEqual(remaining(["a.md", "docs/b.md"], { gitignores }), ["docs/b.md"]);
});

test("the name of a folder is no pattern, whatever is in it", () => {
	const gitignores = { "a[b]*!#/": "x.md\n" };
	assert.deepEqual(remaining(["a[b]*!#/x.md", "ab!#/x.md"], { gitignores }), ["ab!#/x.md"]);
});

test("the editor's globs begin at the folder and may hold alternatives", () => {
	const globs = ["**/*.{tmp,bak}", "build", "assets/**"];
	assert.deepEqual(
		remaining(["a.tmp", "deep/b.bak", "build/", "deep/build/", "assets/logo.svg", "c.md"], { globs }),
		["deep/build/", "c.md"],
	);
});

test("only what is included counts, and everything where nothing is", () => {
	const paths = ["docs/a.md", "notes.md", "src/a.ts"];
	assert.deepEqual(paths.filter(createInclusion(["docs/", "/notes.md"])), ["docs/a.md", "notes.md"]);
	assert.deepEqual(paths.filter(createInclusion([])), paths);
});
