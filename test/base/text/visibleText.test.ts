import assert from "node:assert/strict";
import { test } from "node:test";
import { readModelJson } from "../../../src/base/text/modelJson.ts";
import { boundedText, visibleText } from "../../../src/base/text/visibleText.ts";
import { createRandom } from "../../support/random.ts";

const SHOWN: readonly (readonly [hidden: string, shown: string])[] = [
	["rm\u200b x", "rm⟨U+200B⟩ x"],
	["echo \u202exyz", "echo ⟨U+202E⟩xyz"],
	["ls\nrm x", "ls⟨newline⟩rm x"],
	["a\r\tb", "a⟨return⟩⟨tab⟩b"],
	["a\u00a0b\u2003c\u3000d", "a⟨U+00A0⟩b⟨U+2003⟩c⟨U+3000⟩d"],
	["a\u2028b", "a⟨U+2028⟩b"],
	["\u{e0072}\u{e006d}", "⟨U+E0072⟩⟨U+E006D⟩"],
	["\u3164\uffa0\u115f\u2800", "⟨U+3164⟩⟨U+FFA0⟩⟨U+115F⟩⟨U+2800⟩"],
	["\u001b[2K", "⟨U+001B⟩[2K"],
	["\ud800", "⟨U+D800⟩"],
	["rm\ufe0f x", "rm⟨U+FE0F⟩ x"],
	["ls                    ; rm", "ls⟨20 spaces⟩; rm"],
	["echo $(check) \\$(check)", "echo ⟨$⟩(check) \\⟨$⟩(check)"],
	["[Yes](command:x)", "[Yes⟨]⟩(command:x)"],
	["⟨newline⟩", "⟨U+27E8⟩newline⟨U+27E9⟩"],
	["/\u0338", "/⟨U+0338⟩"],
];

for (const [hidden, shown] of SHOWN)
	test(`${JSON.stringify(hidden)} is shown as ${shown}`, () => assert.equal(visibleText(hidden), shown));

test("what everybody sees stays as it is", () => {
	for (const text of [
		"git log | head -3",
		'grep "größe" é ä e\u0301',
		"日本語 العربية",
		"a 🚀 b",
		"# {X} `y`",
	])
		assert.equal(visibleText(text), text);
});

const PIECES = [
	...["a", " ", "    ", "\n", "$", "(", "]", "[", "⟨", "⟩", "newline", "U+200B", "5 spaces", "é", "\u0301"],
	...["\u200b", "\u202e", "\u2066", "\u00ad", "\u3164", "\u2800", "\ufeff", "\ud800", "\udc00", "\u{e0041}"],
	...["git", "\u0456", "\u0441\u043e", "\u03bf", "\u03bc"],
	...["\u0000", "\u007f", "\u0085", "\u2028", "\u00a0", "𝒜", "\u180e", "\u034f", "\ufff9"],
];

/** The inverse, which can only be written where nothing is lost. */
function hiddenText(shown: string): string {
	return shown.replace(/⟨([^⟩]*)⟩/gu, (_, name: string) => {
		const spaces = /^(\d+) spaces$/.exec(name);
		if (spaces) return " ".repeat(Number(spaces[1]));
		const named = { newline: "\n", return: "\r", tab: "\t", $: "$", "]": "]" }[name];
		return named ?? String.fromCodePoint(Number.parseInt(name.slice(2), 16));
	});
}

test("nothing that is unseen is left, nothing is lost, and no icon and no link can be made of it", () => {
	const { below, pick } = createRandom(7);
	for (let round = 0; round < 5000; round++) {
		const text = Array.from({ length: below(12) }, () => pick(PIECES)).join("");
		const shown = visibleText(text);
		assert.doesNotMatch(shown, /\p{C}|\p{Default_Ignorable_Code_Point}|(?! )\p{Z}| {4}|\$\(|\]\(/u);
		assert.equal(hiddenText(shown), text);
	}
});

test("a long text keeps its beginning and its end, and says how much it leaves out", () => {
	const text = `ls ${"x".repeat(1000)}; rm -rf y`;
	const shown = boundedText(text, 90);
	assert.match(shown, /^ls x+ ⟨\d+ more characters⟩ x+; rm -rf y$/);
	assert.equal(boundedText("short", 90), "short");
});

test("a letter that only looks like those around it is named, and words of another script are left alone", () => {
	assert.equal(visibleText("g\u0456t status"), "g⟨U+0456⟩t status");
	assert.equal(visibleText("\u0441url"), "⟨U+0441⟩url");
	assert.equal(visibleText("\u0441\u0441url n\u03bfde"), "⟨U+0441⟩⟨U+0441⟩url n⟨U+03BF⟩de");
	for (const fine of ["Привет, это сор", "IT-отдел", "3D-модель", "5 μm", "kΩ", "Ωmega", "Ώρα", "naïve café"])
		assert.equal(visibleText(fine), fine);
});

test("what a model nearly wrote as JSON is read as it was meant", () => {
	const meant = { meets: true, why: "It says so." };
	const replies = [
		'{"meets": true, "why": "It says so."}',
		'```json\n{"meets": true, "why": "It says so."}\n```\nHope this helps!',
		'json {"meets": true, "why": "It says so."}',
		'Sure: {"meets": true, "why": "It says so."} — as asked.',
		"{'meets': True, 'why': 'It says so.',}",
		'{meets: true, why: "It says so." // the reason\n}',
	];
	for (const reply of replies) assert.deepEqual(readModelJson(reply), meant, reply);
	assert.deepEqual(readModelJson('{"path": "C:\\temp"}'), { path: "C:\temp" });
	assert.deepEqual(readModelJson('{"path": "C:\\kb\\x"}'), { path: "C:\\kb\\x" });
	assert.deepEqual(readModelJson("```\n[1, 2,]\n```"), [1, 2]);
});

test("what was cut short, or is no JSON at all, is not made up", () => {
	const replies = [
		...['{"path": "a.md", "text": "Del', '{"path": "a', '{"path":', '{"path": {"a": 1}', "{", "[1, 2"],
		...['{"a": {"b": 1}, "c": "del', '[{"a": 1}, {"b":', '{"cmd": "echo {x}', '{"a": 1}{"b": 2}'],
		...["", "I do not know.", "true story", `{${"[".repeat(300_000)}}`],
	];
	for (const reply of replies) assert.equal(readModelJson(reply), undefined, reply.slice(0, 40));
});
