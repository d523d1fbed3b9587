import assert from "node:assert/strict";
import { test } from "node:test";
import { createExclusion, createInclusion } from "../../../src/worker/files/exclusion.ts";

interface Rules {
	readonly globs?: readonly string[];
	readonly patterns?: readonly string[];
	/** `.gitignore` files by their folder, outermost first. */
	readonly gitignores?: Readonly<Record<string, string>>;
}

function remaining(paths: readonly string[], { globs = [], patterns = [], gitignores = {} }: Rules) {
	let exclusion = createExclusion(globs, patterns);
	for (const [folder, text] of Object.entries(gitignores)) exclusion = exclusion.withGitignore(folder, text);
	return paths.filter((path) => !exclusion.excludes(path));
}

const DEFAULTS =
	"node_modules/ docs/node_modules/ .git/ dist/ package-lock.json app.min.js .env deploy/.env.local deploy/server.pem";
const NESTED = { "docs/": "*.log\n/drafts/\n!keep.log\n# not a rule\n\nold/x.md\n" };
const INNER = { "": "*.md\n", "docs/": "!*.md\n" };
const GLOBS = ["**/*.{tmp,bak}", "build", "assets/**"];

for (const [title, rules, out, kept] of [
	["tools' folders, lock files, minified code and secrets are out", {}, DEFAULTS, "docs/ .github/ dist.md"],
	["the configuration takes back what a default excludes", { patterns: ["!dist/"] }, "out/", "dist/ dist/a"],
	[
		"a nested .gitignore speaks of its own folder only",
		{ gitignores: NESTED },
		"docs/a.log docs/deep/a.log docs/drafts/ docs/old/x.md",
		"a.log drafts/ docs/keep.log docs/deep/drafts/",
	],
	["an inner .gitignore overrules", { gitignores: INNER }, "a.md", "docs/b.md"],
	["a folder's name is no pattern", { gitignores: { "a[b]*!#/": "x.md\n" } }, "a[b]*!#/x.md", "ab!#/x.md"],
	[
		"the editor's globs may hold alternatives",
		{ globs: GLOBS },
		"a.tmp deep/b.bak build/ assets/a.svg",
		"deep/build/",
	],
] as const)
	test(title, () => {
		assert.deepEqual(remaining(`${out} ${kept}`.split(" "), rules), kept.split(" "));
	});

test("only what is included counts, and everything where nothing is", () => {
	const paths = ["docs/a.md", "notes.md", "src/a.ts"];
	assert.deepEqual(paths.filter(createInclusion(["docs/", "/notes.md"])), ["docs/a.md", "notes.md"]);
	assert.deepEqual(paths.filter(createInclusion([])), paths);
});
