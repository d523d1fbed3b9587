import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { readModelJson } from "../../../src/base/text/modelJson.ts";
import { createRedactor, redactAll } from "../../../src/base/text/redact.ts";
import { boundedText, visibleText } from "../../../src/base/text/visibleText.ts";
import { listed } from "../../support/listed.ts";
import { createRandom, type Random } from "../../support/random.ts";

test("visibleText names invisible or deceptive characters, and keeps visible text", () => {
	for (const [hidden, shown] of [
		["echo \u202exyz", "echo ⟨U+202E⟩xyz"],
		["ls\nrm x", "ls⟨newline⟩rm x"],
		["ls                    ; rm", "ls⟨20 spaces⟩; rm"],
		["echo $(check) \\$(check)", "echo ⟨$⟩(check) \\⟨$⟩(check)"],
		["[Yes](command:x)", "[Yes⟨]⟩(command:x)"],
		["⟨newline⟩", "⟨U+27E8⟩newline⟨U+27E9⟩"],
		["/\u0338", "/⟨U+0338⟩"],
		["g\u0456t status", "g⟨U+0456⟩t status"],
		["\u0441\u0441url n\u03bfde", "⟨U+0441⟩⟨U+0441⟩url n⟨U+03BF⟩de"],
	] as const)
		assert.equal(visibleText(hidden), shown);
	const commands = ["git log | head -3", 'grep "größe" é ä e\u0301', "日本語 العربية", "a 🚀 b", "# {X} `y`"];
	const words = ["Привет, это сор", "IT-отдел", "3D-модель", "5 μm", "kΩ", "Ωmega", "Ώρα", "naïve café"];
	for (const text of [...commands, ...words]) assert.equal(visibleText(text), text);
});

const PIECES = [
	...["a", " ", "    ", "\n", "$", "(", "]", "[", "⟨", "⟩", "newline", "U+200B", "5 spaces", "é", "\u0301"],
	...["\u200b", "\u202e", "\u2066", "\u00ad", "\u3164", "\u2800", "\ufeff", "\ud800", "\udc00", "\u{e0041}"],
	...["git", "\u0456", "\u0441\u043e", "\u03bf", "\u03bc"],
	...["\u0000", "\u007f", "\u0085", "\u2028", "\u00a0", "𝒜", "\u180e", "\u034f", "\ufff9"],
];

/** Inverse of `visibleText`, which exists only if no information is lost. */
function hiddenText(shown: string): string {
	return shown.replace(/⟨([^⟩]*)⟩/gu, (_, name: string) => {
		const spaces = /^(\d+) spaces$/.exec(name);
		if (spaces) return " ".repeat(Number(spaces[1]));
		const named = { newline: "\n", return: "\r", tab: "\t", $: "$", "]": "]" }[name];
		return named ?? String.fromCodePoint(Number.parseInt(name.slice(2), 16));
	});
}

test("visibleText of random text has no invisible characters, icons or links, and loses no information", () => {
	const { below, pick } = createRandom(7);
	for (let round = 0; round < 1000; round++) {
		const text = Array.from({ length: below(12) }, () => pick(PIECES)).join("");
		const shown = visibleText(text);
		assert.doesNotMatch(shown, /\p{C}|\p{Default_Ignorable_Code_Point}|(?! )\p{Z}| {4}|\$\(|\]\(/u);
		assert.equal(hiddenText(shown), text);
	}
});

test("a shortened text keeps its beginning and end, and states the number of omitted characters", () => {
	const bounded = boundedText(`ls ${"x".repeat(1000)}; rm -rf y`, 90);
	assert.match(bounded, /^ls x+ ⟨\d+ more characters⟩ x+; rm -rf y$/);
	assert.equal(boundedText("short", 90), "short");
});

test("almost valid JSON of a model is read as intended", () => {
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

test("incomplete or ambiguous JSON of a model is not completed", () => {
	const replies = [
		...['{"path": "a.md", "text": "Del', '{"path": "a', '{"path":', '{"path": {"a": 1}', "{", "[1, 2"],
		...['{"a": {"b": 1}, "c": "del', '[{"a": 1}, {"b":', '{"cmd": "echo {x}', '{"a": 1}{"b": 2}'],
		...["", "I do not know.", "true story", `{${"[".repeat(300_000)}}`],
	];
	for (const reply of replies) assert.equal(readModelJson(reply), undefined, reply.slice(0, 40));
});

const redact = createRedactor({ values: [], homes: [], names: [] });
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

function letters(random: Random, length: number): string {
	return Array.from({ length }, () => ALPHABET[random.below(ALPHABET.length)]).join("");
}

/** Kinds of secrets that are recognized in any context. */
const SHAPES: Record<string, (random: Random) => string> = {
	"a GitHub token": (random) => `gh${random.pick(["p", "o", "u", "s", "r"])}_${letters(random, 36)}`,
	"a fine-grained GitHub token": (random) => `github_pat_${letters(random, 22)}_${letters(random, 59)}`,
	"a model provider's key": (random) => `sk-${random.pick(["", "ant-", "proj-"])}${letters(random, 40)}`,
	"an access key of a cloud": (random) => `AKIA${letters(random, 16).toUpperCase()}`,
	"a chat token": (random) => `xoxb-${random.below(1e9)}-${letters(random, 24)}`,
	"a JSON web token": (random) =>
		["eyJhbGciOiJIUzI1NiJ9", letters(random, 40), letters(random, 43)].join("."),
	"one of our tokens": () => `${randomBytes(32).toString("base64url")}aA1`,
	"a hash": () => `${randomBytes(20).toString("hex")}a1`,
	"a UUID": () => crypto.randomUUID(),
	"a mail address": (random) => `${letters(random, 8)}@mail.example.org`,
};

/** Texts with a placeholder for a secret. */
const CONTEXTS = listed(String.raw`
	Authorization: Bearer § | authorization:bearer § | {"Authorization": "token §"}
	curl -H 'X-Api-Key: §' https://a.example | Cookie: session=§; theme=dark
	https://anna:§@host.example/path | https://§@host.example/path | https://anna:§/w@rd@host.example/path
	https://anna:p@ss/§@host.example/path | postgres://u:§@127.0.0.1:5432/db
	https://a.example/x?page=1&sig=§#top | https://a.example/cb#access_token=§ | OPENAI_API_KEY=§ node x.js
	ANYTHING="§ and more" | export lower='§' | $env:Thing = "§" | login --password §
	login --api-key="§ tail" | mysql -u root -p § | password: § | pass=§ | pw: § | Passwort: § | kennwort=§
	curl --user bob:§ https://a.example | curl -u bob:§ https://a.example | curl -ubob:§ https://a.example
	mysql -h db -p§ shop | mysqldump -uroot -p§ shop | <password>§</password>
	<db:dbPassword type="plain">§</db:dbPassword> | the password is § | client_secret => "§ x"
	{"accessKey":"§"} | -----BEGIN OPENSSH PRIVATE KEY-----⏎§⏎-----END OPENSSH PRIVATE KEY-----
	-----BEGIN PRIVATE KEY-----\n§ | AccountName=x;AccountKey=§;EndpointSuffix=y | /home/§/notes.md
	C:\\Users\\§\notes.md | C:\\\\Users\\\\§\\\notes.md | file:///c%3A/Users/§/notes.md | file:///Users/§
	%2Fhome%2F§%2Fx
`).map((text) => text.replaceAll("⏎", "\n"));

/** Puts a secret into one of these texts, or into doubly quoted JSON. */
const plant = (random: Random, secret: string) =>
	random.pick([...CONTEXTS, JSON.stringify(JSON.stringify({ apiToken: "§" }))]).replaceAll("§", () => secret);

const WORDS = "the worker stopped|at src/vscode/link.ts:12|{|}|\n|after 12 ms|;|,|“x”|\t".split("|");

test("a secret planted anywhere in a text is redacted", () => {
	const random = createRandom(7);
	const around = () => Array.from({ length: random.below(6) }, () => random.pick(WORDS)).join(" ");
	for (let run = 0; run < 4000; run++) {
		const [, shape] = random.pick(Object.entries(SHAPES));
		const secret = random.below(2) === 0 ? shape(random) : `q${letters(random, 5 + random.below(9))}z`;
		const isShaped = secret.length > 20 && random.below(2) === 0;
		const planted = isShaped ? shape(random) : secret;
		const said = isShaped ? ` ${planted} ` : plant(random, planted);
		const text = `${around()} ${said} ${around()}`;
		assert.ok(!redact(text).includes(planted), text);
	}
});

const wide = (letter: string) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0);

test("a secret with a known shape is redacted, also with invisible or unusual characters", () => {
	for (const [what, shape] of Object.entries(SHAPES)) {
		const secret = shape(createRandom(3));
		for (const text of [
			`it was ${secret}.`,
			`("${secret}")`,
			`it was ${secret.slice(0, 3)}\u200b${secret.slice(3)} there`,
			`it was \u001b[1m${secret.slice(0, 5)}\u001b[0m${secret.slice(5)} there`,
			secret.replace(/[a-z]/g, wide),
		])
			assert.ok(!redact(text).includes(secret.slice(-12)), `${what}: ${redact(text)}`);
	}
});

test("known secrets, names and home folders are redacted anywhere", () => {
	const known = createRedactor({
		values: ["hunter two/2", "abc"],
		homes: ["/srv/people/Anna Berg", "D:\\Profile\\Anna Berg"],
		names: ["Anna Berg", "aberg", "lighthouse-07", "x"],
	});
	const text =
		"hunter two/2 HUNTER Two/2 hunter%20two%2F2 abc /srv/people/Anna Berg/x D:\\Profile\\Anna Berg\\x aBerg's machine lighthouse-07 x";
	const left = known(text);
	for (const gone of ["hunter", "Anna", "berg", "lighthouse"])
		assert.ok(!left.toLowerCase().includes(gone.toLowerCase()), left);
	assert.ok(left.includes("abc") && left.endsWith(" x"), "Short secrets would cut letters out of words.");
});

test("messages about problems are not redacted", () => {
	for (const text of listed(`
		The worker stopped; it is started again. | copilot-ld/sessions/append failed after 12 ms
		it ended with exit code 1: Cannot find module './native/lancedb.node' | took longer than 30 s
		at createWorkerProcess (src/vscode/worker/process.ts:47:8) | http://127.0.0.1:9931/mcp answered 500
	`))
		assert.equal(redact(text), text);
});

test("values of fields named like secrets are redacted; numbers stay, and names of fields are redacted, too", () => {
	const [env, file] = [{ HOME: "/home/anna/x" }, ["Bearer q", null]];
	const left = redactAll({ token: "x", inputTokens: 5, env, "/home/anna/a.md": file }, redact);
	const shown = { env: { HOME: "~/x" }, "~/a.md": ["Bearer ‹redacted›", null] };
	assert.deepEqual(left, { token: "‹redacted›", inputTokens: 5, ...shown });
});
