import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { messageOf } from "../../base/failure.ts";
import { isMissing, readRegularFile } from "../../base/files/file.ts";
import { readLocatedYaml } from "../../base/yaml/locatedYaml.ts";
import type { DenyRule } from "../../core/knowledge/denyRule.ts";
import type { Problem } from "../../core/knowledge/document.ts";
import { CHANNELS } from "../../core/permission/permission.ts";

const CONFIG_FOLDER = ".copilot-ld";
const CONFIG_NAME = "config.yaml";
export const CONFIG_PATH = `${CONFIG_FOLDER}/${CONFIG_NAME}`;
const CONFIG_BYTES = 1_000_000;

/** Probable misspellings of the configuration's file name. */
const MISNAMED = /^(?:config|policy|policies)(?:\.ya?ml)?(?:\.(?:ya?ml|jsonc?|toml|txt))?$/i;

/** An invalid configuration hides the whole folder from all channels, and `problem` reports the mistake. */
export interface FolderConfig {
	/** Patterns of files to include, as in a `.gitignore`, relative to the folder; empty for all files. */
	readonly include: readonly string[];
	readonly exclude: readonly string[];
	readonly policy: readonly DenyRule[];
	readonly problem?: Problem & { readonly path: string };
}

export type FolderPolicy = ReturnType<typeof readFolderPolicy>;

export function readFolderPolicy(root: string) {
	const { policy: rules, problem } = readFolderConfig(root);
	return { root, rules, ...(problem && { problem }) };
}

const NO_CONFIG: FolderConfig = { include: [], exclude: [], policy: [] };

/** Never throws: the result reports an unreadable or invalid configuration. */
export function readFolderConfig(folder: string): FolderConfig {
	try {
		if (isWithoutConfig(folder)) return NO_CONFIG;
		const names = readdirSync(join(folder, CONFIG_FOLDER));
		const misnamed = names.find((name) => name !== CONFIG_NAME && MISNAMED.test(name));
		if (misnamed !== undefined)
			return hideAll(`${CONFIG_FOLDER}/${misnamed}`, 1, `rename it to ${CONFIG_NAME}.`);
		const { bytes } = readRegularFile(join(folder, CONFIG_PATH), CONFIG_BYTES);
		return parseConfig(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
	} catch (thrown) {
		if (isMissing(thrown)) return NO_CONFIG;
		return hideAll(CONFIG_PATH, 1, messageOf(thrown));
	}
}

/** Fast check, because most folders have no configuration, and a failed read takes ten times as long. */
function isWithoutConfig(folder: string): boolean {
	const how = { throwIfNoEntry: false } as const;
	return !statSync(join(folder, CONFIG_FOLDER), how) && statSync(folder, how)?.isDirectory() !== false;
}

function hideAll(path: string, line: number, why: string): FolderConfig {
	const message = `Nothing in this folder is shown, because the policy in its ${path} cannot be read: ${why}`;
	const problem = { path, severity: "error", message, lines: { start: line, end: line } } as const;
	return { ...NO_CONFIG, policy: [{}], problem };
}

function parseConfig(text: string): FolderConfig {
	const { value, mistake, lineOf } = readLocatedYaml(text);
	if (mistake) return hideAll(CONFIG_PATH, mistake.line, mistake.message);
	// Unknown keys are rejected: a misspelled rule would otherwise hide nothing.
	const { data, error } = config.safeParse(value ?? {});
	if (data) return data;
	const unknown = error.issues.find((issue) => issue.code === "unrecognized_keys");
	const { message = "", path = [] } = unknown ?? error.issues[0] ?? {};
	return hideAll(CONFIG_PATH, lineOf([...path, ...(unknown?.keys.slice(0, 1) ?? [])]), message);
}

const MISTAKES: readonly (readonly [RegExp, string])[] = [
	[/^!/, "a rule has no exceptions: name only what is hidden"],
	[/^#/, "it would be a comment"],
	[/\\/, "separate folders with /"],
	[/[{}]/, "write a pattern for each alternative"],
	[/^(?:~|[A-Za-z][\w+.-]*:)/, "write it relative to the folder of the configuration"],
	[/(?:^|\/)\.\.(?:\/|$)/, "it leads out of the folder"],
];

const channel = z.enum(CHANNELS, {
	error: ({ input }) => `channels must be ${CHANNELS.join(", ")}, not ${JSON.stringify(input)}.`,
});
const pattern = z.pipe(
	z.string().check((text) => {
		const mistake = MISTAKES.find(([wrong]) => wrong.test(text.value));
		const message = `${JSON.stringify(text.value)} would hide nothing: ${mistake?.[1]}.`;
		if (mistake) text.issues.push({ code: "custom", input: text.value, message });
	}),
	z.transform(toPattern),
);
const name = z.pipe(z.string(), z.transform(toName));

const criteria = object("deny", "deny has paths, types, and properties", {
	paths: z.exactOptional(some("paths", pattern)),
	types: z.exactOptional(some("types", name)),
	properties: z.exactOptional(some("properties", name)),
}).check(
	z.refine((named) => Object.keys(named).length > 0, {
		error: "deny must have paths, types, or properties.",
	}),
);

const rule: z.ZodMiniType<DenyRule> = z.pipe(
	object("A rule of policy", "A rule of policy has deny and channels", {
		deny: criteria,
		channels: z.exactOptional(some("channels", channel)),
		/** Old name of `channels`. */
		doors: z.exactOptional(some("doors", channel)),
	}).check(
		z.refine(({ channels, doors }) => !(channels && doors), {
			error: "A rule of policy names its channels once: doors is the old name.",
		}),
	),
	z.transform(({ deny, doors, channels = doors }) => ({ ...deny, ...(channels && { channels }) })),
);

const rules = z.array(rule, { error: "policy must be a list of rules." });

const config = object("The configuration", "A configuration has include, exclude, instructions, and policy", {
	include: z._default(list("include", z.string()), []),
	exclude: z._default(list("exclude", z.string()), []),
	/** The key is valid but not used here: the instructions are read when a question is answered. */
	instructions: z.optional(z.unknown()),
	policy: z.pipe(
		z.nullish(rules),
		z.transform((given) => given ?? []),
	),
});

/** `names` is the part of the message that lists the allowed keys. */
function object<Shape extends z.core.$ZodLooseShape>(what: string, names: string, shape: Shape) {
	return z.strictObject(shape, {
		error: (issue) =>
			issue.code === "unrecognized_keys"
				? `${names}, not ${JSON.stringify(issue.keys[0])}.`
				: `${what} must be an object.`,
	});
}

function some<Output>(what: string, item: z.ZodMiniType<Output, string>) {
	return list(what, item).check(z.minLength(1, mustBeTexts(what)));
}

function list<Output>(what: string, item: z.ZodMiniType<Output, string>) {
	const error = mustBeTexts(what);
	return z.array(z.pipe(z.string({ error }).check(z.trim(), z.minLength(1, { error })), item), { error });
}

function mustBeTexts(what: string): string {
	return `${what} must be a list of at least one text.`;
}

/** Normalizes a pattern for `.gitignore` syntax: `./hr//**` becomes `/hr/**`. */
function toPattern(text: string): string {
	const isAnchored = /^\.?\//.test(text);
	const all = text.split("/");
	const parts = all.filter((part, at) => part !== "." && (part !== "" || at === all.length - 1));
	const path = parts.join("/").normalize("NFC");
	if (path === "") return "**";
	return isAnchored ? `/${path}` : path;
}

/** Returns an IRI, or the local part of a prefixed name: `schema:Person` becomes `Person`. */
function toName(text: string): string {
	const bare = text.replace(/^<(.*)>$/, "$1");
	return /^(?:[a-z][\w+.-]*:\/\/|urn:)/i.test(bare) ? bare : bare.slice(bare.lastIndexOf(":") + 1) || bare;
}
