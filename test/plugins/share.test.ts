import assert from "node:assert/strict";
import { test } from "node:test";
import { type Zippable, zipSync } from "fflate";
import { isFailure } from "../../src/base/failure.ts";
import { filesBelow, pluginFoldersIn, pluginNameFor, readAddable } from "../../src/plugins/share/addable.ts";
import { executablesIn, packPlugin, unpackPlugin } from "../../src/plugins/share/archive.ts";
import { assertMapped } from "../support/assertMapped.ts";
import { listed } from "../support/listed.ts";
import { createRandom } from "../support/random.ts";
import { EXAMPLE } from "./example.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const filesOf = (files: Record<string, string>) =>
	new Map(Object.entries(files).map(([name, text]) => [name, bytes(text)]));
const textsOf = (files: ReadonlyMap<string, Uint8Array>) =>
	Object.fromEntries([...files].map(([name, found]) => [name, new TextDecoder().decode(found)]));

const refusal = (words: RegExp) => ({ name: "Failure", message: words });

function changed(zip: Uint8Array, entry: number, change: (list: DataView, at: number) => void): Uint8Array {
	const copy = zip.slice();
	const view = new DataView(copy.buffer);
	let at = -1;
	for (let found = -1; found < entry; at++) if (view.getUint32(at + 1, true) === 0x02014b50) found++;
	change(view, at);
	return copy;
}

test("packing and unpacking a plugin keeps its files and executable bits; equal files give equal archives", () => {
	const files = { "plugin.yaml": EXAMPLE, "prompts/deep/prompt.md": "Be brief. ø", empty: "" };
	const zip = packPlugin(filesOf(files));
	assert.deepEqual(textsOf(unpackPlugin(zip)), files);
	assert.deepEqual(packPlugin(new Map([...filesOf(files)].reverse())), zip);
	const outer = zipSync({ "repository-main": { "plugin.yaml": bytes("a"), b: { c: bytes("d") } } });
	assert.deepEqual(textsOf(unpackPlugin(outer)), { "plugin.yaml": "a", "b/c": "d" });
	assert.deepEqual(textsOf(unpackPlugin(zipSync({ a: [bytes("x"), { level: 0 }] }))), { a: "x" });
	assert.deepEqual(executablesIn(zip), new Set());
	const run = new Set(["prompts/deep/prompt.md"]);
	assert.deepEqual(executablesIn(packPlugin(filesOf(files), run)), run);
	const mode = { os: 3, attrs: 0o100755 * 0x10000 };
	const mixed = zipSync({ "repository-main": { "run.sh": [bytes("x"), mode], "plugin.yaml": bytes("a") } });
	assert.deepEqual(executablesIn(mixed), new Set(["run.sh"]));
});

test("an archive is refused if its files would leave their folder or have clashing names", () => {
	const odd = listed(
		String.raw`../up|a/../../up|/etc/passwd|a\..\..\up|C:x|\\server\share|a/./b|a//b|CON|a/nul.txt`,
	);
	odd.push("a. ", "a\u0000b", "a\u202Eb", "x".repeat(300), Array(20).fill("a").join("/"));
	const hostile: readonly (readonly [readonly string[], RegExp])[] = [
		...odd.map((name) => [[name], /not a file name/] as const),
		[["Plugin.yaml", "plugin.yaml"], /the same file on some systems/],
		[["caf\u00e9", "cafe\u0301"], /the same file on some systems/],
		[["a", "A/b"], /a file and a folder/],
		...[".git/config", "lib/.GIT/hooks/post-checkout", "GIT~1/config", ".git"].map(
			(name) => [[name], /a part of a Git repository/] as const,
		),
		[["HEAD", "config", "objects/a", "refs/b"], /a part of a Git repository/],
	];
	for (const [names, words] of hostile) {
		const zip = zipSync(Object.fromEntries(names.map((name) => [name, bytes("x")])));
		assert.throws(() => unpackPlugin(zip), refusal(words), names.join());
		assert.throws(() => packPlugin(new Map(names.map((name) => [name, bytes("x")]))), refusal(words));
	}
	const link: Zippable = { link: [bytes("/etc/passwd"), { os: 3, attrs: 0o120777 << 16 }] };
	assert.throws(() => unpackPlugin(zipSync(link)), refusal(/contains a link/));
});

test("an archive that is larger than stated or allowed is refused before it is unpacked", () => {
	const zeros = (count: number) => new Uint8Array(count);
	const bomb = zipSync({ a: zeros(200_000) });
	const two = zipSync({ a: [zeros(500), { level: 0 }], b: [zeros(500), { level: 0 }] });
	const with32 = (zip: Uint8Array, entry: number, place: number, value: number) =>
		changed(zip, entry, (list, at) => list.setUint32(at + place, value, true));
	const many = Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`f${index}`, bytes("")]));
	for (const [zip, words] of [
		[with32(bomb, 0, 24, 11_000_000), /more than 10 MB/],
		[zipSync(many), /more than 300 files/],
		[with32(bomb, 0, 24, 10), /larger than stated/],
		[with32(bomb, 0, 24, 200_001), /damaged/],
		[with32(with32(two, 1, 42, 0), 1, 20, 900), /overlap|damaged/],
		[changed(two, 0, (list, at) => list.setUint16(at + 8, 1, true)), /encrypted/],
		[with32(two, 0, 24, 0xffffffff), /larger than a plugin may be/],
		[with32(two, 0, 42, 5), /its list is damaged/],
		[new Uint8Array([...two, 0]), /not a ZIP archive, or is incomplete/],
		[bytes("no zip"), /not a ZIP archive/],
		[new Uint8Array(0), /not a ZIP archive/],
	] as const)
		assert.throws(() => unpackPlugin(zip), refusal(words));
});

test("any archive, however damaged, is unpacked or refused with a message", () => {
	const zip = packPlugin(filesOf({ "plugin.yaml": EXAMPLE, "a/b": "c" }));
	const { below } = createRandom(7);
	for (let round = 0; round < 50; round++) {
		const broken = zip.slice(0, below(5) === 0 ? below(zip.length) : zip.length);
		for (let edit = 0; edit < 4 && broken.length > 0; edit++) broken[below(broken.length)] = below(256);
		try {
			unpackPlugin(broken);
		} catch (thrown) {
			assert.ok(isFailure(thrown), `${thrown}`);
		}
	}
});

test("plugins are found in a folder, a clone or a workspace, and are checked before the save", () => {
	assert.deepEqual(pluginFoldersIn(["plugin.yaml", "x/plugin.yaml"]), [""]);
	const names = ["b/plugin.yaml", ".copilot-ld/plugins/a/plugin.yaml", "c/d/plugin.yaml", "e/notes.md"];
	assert.deepEqual(pluginFoldersIn(names), [".copilot-ld/plugins/a/", "b/"]);
	const files = filesOf({ "b/plugin.yaml": EXAMPLE, "b/x": "1", "bb/y": "2" });
	assert.deepEqual([...filesBelow(files, "b/").keys()], ["plugin.yaml", "x"]);
	const given = ["My Plugin!", "9lives", "../..", "x".repeat(99)];
	assertMapped(given, (name) => pluginNameFor(name), ["my-plugin", "lives", "plugin", "x".repeat(32)]);
	const { title, name } = readAddable(filesBelow(files, "b/"), "Example 1.0").manifest;
	assert.deepEqual([title, name], ["Example", "example-1-0"]);
	const wrong = EXAMPLE.replace("version: 0.0.0-SNAPSHOT", "version: x");
	assert.throws(() => readAddable(filesOf({ "plugin.yaml": wrong }), "a"), refusal(/Line 3: A version/));
	assert.throws(() => readAddable(filesOf({ "b/plugin.yaml": EXAMPLE }), "a"), refusal(/no plugin\.yaml/));
	const withPrompt = EXAMPLE.replace("title: Example", "title: Example, prompt_file_name: p.md");
	const beside = readAddable(filesOf({ "plugin.yaml": withPrompt, "p.md": "Be brief." }), "a");
	assert.equal(beside.manifest.prompt, "Be brief.");
	assert.throws(() => readAddable(filesOf({ "plugin.yaml": withPrompt }), "a"), refusal(/file is missing/));
});
