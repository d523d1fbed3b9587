import { wordList } from "../../../src/base/words/wordList.ts";
import { createRandom } from "../../support/random.ts";
import type { Files } from "../workspace.ts";

const WORDS = wordList("lamp keeper oil tower petrel zulfikar quarry heron tern harbour lantern salt gale");
const NAMES = wordList("Anna Bo Carl Dina Emil Frida Gerd Hanna Ivo Jana");
const CLASSES = ["Person", "Boat", "Place"];
const PROPERTIES = ["salary", "note", "port", "size"];

interface Thing {
	readonly id: string;
	readonly type: string;
	readonly name: string;
	readonly values: Readonly<Record<string, string>>;
}

const pairs = ({ values }: Thing, form: (property: string, value: string) => string, joint: string) =>
	Object.entries(values)
		.map(([property, value]) => form(property, value))
		.join(joint);

/** Writers of a thing by file name. Each value takes one line, so visible lines do not depend on hidden values. */
const FORMATS: Readonly<Record<string, (thing: Thing) => string>> = {
	"one.ttl": (thing) =>
		`<urn:${thing.id}> a <urn:v#${thing.type}> ;\n  <https://schema.org/name> "${thing.name}" ;\n  ${pairs(thing, (p, v) => `<urn:v#${p}> "${v}"`, " ;\n  ")} .\n`,
	"two.jsonld": (thing) =>
		`{"@context": {"@vocab": "urn:v#", "name": "https://schema.org/name"}, "@id": "urn:${thing.id}", "@type": "${thing.type}",\n"name": "${thing.name}",\n${pairs(thing, (p, v) => `"${p}": "${v}"`, ",\n")}}\n`,
	"three.md": (thing) =>
		`---\ntype: ${thing.type}\nname: ${thing.name}\n${pairs(thing, (p, v) => `${p}: ${v}`, "\n")}\n---\n\nThe keeper of the tower.\n`,
	"four.json": (thing) =>
		`{"type": "${thing.type}",\n"name": "${thing.name}",\n${pairs(thing, (p, v) => `"${p}": "${v}"`, ",\n")}}\n`,
	"five.yaml": (thing) =>
		`type: ${thing.type}\nname: ${thing.name}\n${pairs(thing, (p, v) => `${p}: ${v}`, "\n")}\n`,
	"six.html": (thing) =>
		`<div itemscope itemid="urn:${thing.id}" itemtype="urn:v#${thing.type}">\n<h1 itemprop="name">${thing.name}</h1>\n${pairs(thing, (p, v) => `<p itemprop="${p}">${v}</p>`, "\n")}\n</div>\n`,
};

/** Makes two folders from a seed that differ only in what the policy hides. */
export function createFolders(seed: number) {
	const { below, pick } = createRandom(seed);
	const properties = PROPERTIES.filter(() => below(3) === 0);
	const type = pick([...CLASSES, "Nothing"]);
	const words = () => Array.from({ length: 1 + below(4) }, () => pick(WORDS)).join(" ");
	const folders: [Files, Files] = [{}, {}];
	const addBoth = (path: string, make: (thing: Thing) => string) => {
		const thing = { id: `t${below(30)}`, type: pick(CLASSES), name: pick(NAMES) };
		const shared = Object.fromEntries(PROPERTIES.map((property) => [property, words()]));
		for (const files of folders) {
			const own = Object.fromEntries(properties.map((property) => [property, words()]));
			const isHidden = thing.type === type;
			const hidden = Object.fromEntries(PROPERTIES.map((property) => [property, words()]));
			const values = isHidden ? hidden : { ...shared, ...own };
			Object.assign(files, { [path]: make({ ...thing, ...(isHidden && { name: words() }), values }) });
		}
	};
	for (let number = 0; number < 6; number++)
		for (const [file, make] of Object.entries(FORMATS)) addBoth(`d${number}/${file}`, make);
	for (const files of folders)
		for (let number = below(12); number > 0; number--)
			Object.assign(files, { [`hr/${number}.md`]: `# ${words()}\n\n${words()}\n` });
	const denied = properties.length > 0 ? [`{ properties: [${properties.join(", ")}] }`] : [];
	const rules = ['{ paths: ["hr/**"] }', `{ types: [${type}] }`, ...denied];
	return {
		folders,
		policy: `exclude: [.copilot-ld/]\npolicy:\n${rules.map((rule) => `  - deny: ${rule}\n    channels: [mcp]\n`).join("")}`,
		searches: [
			...Array.from({ length: 8 }, words),
			...["zulfikra", `How many ${type}s are there?`],
			`Which ${type} has ${pick(PROPERTIES)} ${pick(WORDS)}?`,
			`${pick(PROPERTIES)} of ${pick(NAMES)}`,
		],
		targets: [...Object.keys(FORMATS).map((file) => `d${below(6)}/${file}`), "hr/1.md", pick(NAMES)],
		iris: Array.from({ length: 4 }, () => `urn:t${below(30)}`),
	};
}
