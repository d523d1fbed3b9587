import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate, LONGEST_PROMPT } from "../../src/orchestrator/evaluate/evaluate.ts";
import { namesAmong, refine } from "../../src/orchestrator/evaluate/refine.ts";

const REVIEW = ["code-review", "quality"];
const TESTS = ["test-generator", "testing"];
const DESIGN = ["architecture-advisor", "design"];
const DOCS = ["documentation-writer", "docs"];

/** The original orchestrator's figures, by its rules. */
const golden: readonly [prompt: string, confidence: number, isClear: boolean, keywords: readonly string[]][] =
	[
		["check it", 0.4, false, REVIEW],
		["Fix bug", 0.6, false, REVIEW],
		["fix", 0.4, false, REVIEW],
		["Fix the thing in the module", 0.6, false, [...REVIEW, ...DESIGN]],
		["Do something generic", 0.5, false, []],
		["hello", 0.3, false, []],
		["Review auth.go for security vulnerabilities", 0.9, true, REVIEW],
		[
			"Create unit tests for the MatchKeywords() function in internal/agents/types.go with edge cases",
			1,
			true,
			TESTS,
		],
	];

for (const [prompt, confidence, isClear, keywords] of golden)
	test(`“${prompt}” is judged as the original judged it`, () => {
		const { confidence: found, isClear: clear, keywords: topics } = evaluate(prompt);
		assert.deepEqual([found, clear, topics], [confidence, isClear, keywords]);
	});

/** Where the original's code kept less than its documents promise. */
const mended: readonly [prompt: string, confidence: number, isClear: boolean, keywords: readonly string[]][] =
	[
		["Review the auth module", 0.85, false, [...REVIEW, ...DESIGN]],
		["Latest contest results", 0.75, false, []],
		["Explain it", 0.6, false, DOCS],
		["Write API documentation for the orchestrator", 0.85, true, DOCS],
		["Update some stuff", 0.6, false, []],
		["Review src/auth/login.py for race conditions", 0.9, true, REVIEW],
		["Reviewing the parser of dates for correctness", 0.85, true, REVIEW],
	];

for (const [prompt, confidence, isClear, keywords] of mended)
	test(`“${prompt}” is judged by whole words and their stems`, () => {
		const { confidence: found, isClear: clear, keywords: topics } = evaluate(prompt);
		assert.deepEqual([found, clear, topics], [confidence, isClear, keywords]);
	});

test("an empty prompt is not clear at all", () => {
	const { isClear, confidence, issues } = evaluate("  \n ");
	assert.deepEqual([isClear, confidence, issues.map(({ kind }) => kind)], [false, 0, ["short"]]);
});

test("what a prompt lacks is named in a fixed order", () => {
	const kinds = (prompt: string) => evaluate(prompt).issues.map(({ kind }) => kind);
	assert.deepEqual(kinds("Review the auth module"), ["noScope", "noConcern"]);
	assert.deepEqual(kinds("check it"), ["short", "vague", "noScope", "noConcern"]);
	assert.deepEqual(kinds("Latest contest results"), ["noAction"]);
	assert.deepEqual(kinds("Create a lexer"), ["noConstraint"]);
	assert.deepEqual(kinds("Review this function again"), ["noScope", "noConcern"]);
});

test("a pronoun that stands for something in the prompt is not vague", () => {
	assert.deepEqual(evaluate("Find the lexer and explain it").facts.vague, []);
	assert.deepEqual(evaluate("Explain this").facts.vague, ["this"]);
	assert.deepEqual(evaluate("Explain this lexer").facts.vague, []);
});

test("where something essential is missing, the person is asked", () => {
	assert.equal(evaluate("check it").question, "What is meant: a file, a folder, or a name?");
	assert.equal(evaluate("Fix the module").question, "Which module: a file, a folder, or a name?");
	assert.equal(
		evaluate("Latest contest results").question,
		"What should be done with “latest” and “contest” and “results”?",
	);
	assert.equal(evaluate("Review auth.go for security").question, undefined);
});

test("what only looks like a place is none", () => {
	assert.deepEqual(evaluate("Explain read/write and/or e.g. locks").facts.places, []);
	assert.deepEqual(evaluate("Review `src/a.ts`, (lib/b.py) and docs/.").facts.places, [
		"src/a.ts",
		"lib/b.py",
		"docs/",
	]);
});

test("a prompt as long as they may be, of whatever characters, is judged at once", () => {
	for (const text of ["a", "a/", "(", "a.b", "_a", "it "]) {
		const { confidence } = evaluate(text.repeat(LONGEST_PROMPT / text.length));
		assert.ok(confidence >= 0 && confidence <= 1);
	}
});

const candidates = [
	{ path: "src/auth/login.ts", title: "src/auth/login.ts", isCode: true },
	{ path: "src/session.ts", title: "authenticateUser", isCode: true },
	{ path: "docs/guide.md", title: "Guide › Authentication", isCode: false },
	{ path: "docs/contest.md", title: "Contest", isCode: false },
];

test("a prompt is refined with names that are in the repository", () => {
	const evaluation = evaluate("Review the auth module");
	const found = namesAmong(candidates, ["auth"]);
	assert.deepEqual(refine(evaluation, found), {
		prompt:
			"Review the auth module for security vulnerabilities (src/auth/login.ts; authenticateUser in src/session.ts; “Authentication” in docs/guide.md)",
		changes: [
			"added the concern that its subject suggests: security vulnerabilities",
			"named what “auth” refers to: src/auth/login.ts",
			"named what “auth” refers to: authenticateUser in src/session.ts",
			"named what “auth” refers to: “Authentication” in docs/guide.md",
		],
	});
});

test("nothing is appended where nothing is known", () => {
	for (const prompt of ["Fix bug", "check it", "hello", "Review auth.go for security"])
		assert.deepEqual(refine(evaluate(prompt), []), { prompt, changes: [] });
});

test("a name of the index is found by whole words only", () => {
	assert.deepEqual(namesAmong(candidates, ["test"]), []);
});

test("what cannot be seen in a name of the repository is shown in the prompt", () => {
	const found = namesAmong([{ path: "src/auth\u202e\n.ts", title: "", isCode: true }], ["auth"]);
	assert.match(refine(evaluate("Review the auth module"), found).prompt, /src\/auth⟨U\+202E⟩⟨newline⟩\.ts/);
});
