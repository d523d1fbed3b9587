import { Failure } from "../../base/failure.ts";
import { visibleText } from "../../base/text/visibleText.ts";
import { type PluginManifest, readManifest } from "../manifest/readManifest.ts";
import { checkFileNames, type SharedFiles } from "./archive.ts";

const FILE = "plugin.yaml";

/** Possible paths of the manifest in a plugin, in a folder of plugins, or in a workspace. */
const PLACE = /^(?:(?:\.copilot-ld\/plugins\/)?[^/]+\/)?plugin\.yaml$/;

/** The folders of the plugins among the files, each with a trailing slash; empty for the root. */
export function pluginFoldersIn(names: Iterable<string>): string[] {
	const folders = [...names].filter((name) => PLACE.test(name)).map((name) => name.slice(0, -FILE.length));
	return folders.includes("") ? [""] : folders.sort();
}

export function filesBelow(files: SharedFiles, folder: string): SharedFiles {
	return new Map(
		[...files].flatMap(([name, bytes]) =>
			name.startsWith(folder) ? [[name.slice(folder.length), bytes] as const] : [],
		),
	);
}

/** Reads a foreign plugin and its inner plugins in memory. Throws a `Failure` if any of them is invalid. */
export function readAddable(files: SharedFiles, wantedName: string) {
	checkFileNames([...files.keys()]);
	const name = pluginNameFor(wantedName);
	const manifest = readOne(files, { uri: FILE, name });
	const { shared: outer } = manifest;
	const folders = outer ? [...files.keys()].flatMap((file) => INNER.exec(file)?.[1] ?? []).sort() : [];
	const inner = folders.map((folder) =>
		readOne(filesBelow(files, `plugins/${folder}/`), {
			uri: `plugins/${folder}/${FILE}`,
			name: `${name}-${folder}`,
			...(outer && { outer }),
		}),
	);
	return { manifest, inner };
}

const INNER = /^plugins\/([^/]+)\/plugin\.yaml$/;

function readOne(files: SharedFiles, where: Parameters<typeof readManifest>[1]): PluginManifest {
	const bytes = files.get(FILE);
	if (!bytes) throw new Failure("NOT_FOUND", "There is no plugin.yaml, so this is not a plugin.");
	const { manifest, problems } = readManifest(decode(bytes), where);
	if (manifest) return withPrompt(manifest, files);
	const [first] = problems.filter(({ severity }) => severity === "error");
	const place = where.uri === FILE ? "" : ` of ${visibleText(where.uri)}`;
	const message = `The plugin has errors. Line ${first?.line ?? 1}${place}: ${visibleText(first?.message ?? "")}`;
	throw new Failure("BAD_INPUT", message);
}

export function pluginNameFor(wanted: string): string {
	const name = wanted
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, "-")
		.replace(/^[^a-z]+|-+$/g, "")
		.slice(0, 32);
	return name === "" ? "plugin" : name;
}

function withPrompt(manifest: PluginManifest, files: SharedFiles): PluginManifest {
	if (manifest.promptFile === undefined) return manifest;
	const bytes = files.get(manifest.promptFile);
	if (!bytes)
		throw new Failure("NOT_FOUND", `The prompt file is missing: ${visibleText(manifest.promptFile)}.`);
	return { ...manifest, prompt: decode(bytes) };
}

function decode(bytes: Uint8Array): string {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch {
		throw new Failure("BAD_INPUT", "A file of the plugin that should be text is not text.");
	}
}
