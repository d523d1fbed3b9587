import { createHash } from "node:crypto";
import { isRecord } from "../base/values.ts";
import {
	ARGUMENT_KINDS,
	type CallArgument,
	CHANNELS,
	EFFECTS,
	type PermissionRule,
	type RuleScope,
} from "../core/permission/permission.ts";
import { patternProblem } from "./arguments/argumentPattern.ts";

export interface PermissionSettings {
	readonly user: unknown;
	/** Settings of the workspace and its folders, which may come with a repository. */
	readonly workspace: readonly unknown[];
	/** URI of the window's first folder; empty if no folder is open. */
	readonly workspaceUri: string;
}

interface RulePlace {
	readonly scope: RuleScope;
	readonly owner?: string;
}

const NAMES: readonly string[] = ["effect", "channel", "tool", ...ARGUMENT_KINDS];

/** Rules of a workspace never allow a call. An unreadable rule makes every call ask. */
export function managedRulesOf({ user, workspace, workspaceUri }: PermissionSettings) {
	const ofUser = entriesOf(user, { scope: "always" });
	const place: RulePlace = { scope: "workspace", owner: workspaceUri };
	const ofWorkspace = workspace
		.flatMap((value) => entriesOf(value, place))
		.map((entry) => (typeof entry !== "string" && entry.effect === "allow" ? ALLOWS : entry));
	const entries = [...ofUser, ...ofWorkspace];
	const problems = entries.filter((entry) => typeof entry === "string");
	const rules = entries.filter((entry) => typeof entry !== "string");
	const isUnsure = problems.some((problem) => problem !== ALLOWS);
	return { rules: isUnsure ? [...rules, ASK_ABOUT_ALL] : rules, problems: [...new Set(problems)] };
}

const ALLOWS =
	"A rule in the workspace settings allows something. Only your user settings can do that, so it is ignored.";

const ASK_ABOUT_ALL: PermissionRule = {
	id: "settings:unreadable",
	effect: "ask",
	scope: "always",
	origin: "settings",
	createdAt: 0,
};

function entriesOf(value: unknown, place: RulePlace): (PermissionRule | string)[] {
	if (value === undefined || value === null) return [];
	if (!Array.isArray(value)) return ["It must be a list of rules."];
	return value.map((entry, index) => {
		const read = readEntry(entry, place);
		return typeof read === "string" ? `Rule ${index + 1}: ${read}` : read;
	});
}

/** Reads a rule as written by a user. Returns a description of the problem if the rule is invalid. */
export function readWrittenRule(value: unknown): PermissionRule | string {
	return readEntry(value, { scope: "always" });
}

function readEntry(value: unknown, place: RulePlace): PermissionRule | string {
	if (!isRecord(value)) return "it must be an object.";
	const effect = EFFECTS.find((name) => name === value["effect"]);
	if (!effect) return `its effect must be ${EFFECTS.join(", ")}.`;
	const argument = readArgument(value);
	if (typeof argument === "string") return argument;
	const channel = CHANNELS.find((name) => name === channelOf(value));
	const { tool } = value;
	const rest = { ...(typeof tool === "string" && { tool }), ...(argument && { argument }) };
	const rule = { effect, ...place, ...(channel && { channel }), ...rest };
	// Equal rules get the same id in all versions, so that stored revocations and entries of the log still refer to
	// them. Therefore the fingerprint has the old name of the channel.
	const written = { effect, ...place, ...(channel && { door: channel }), ...rest };
	const fingerprint = createHash("sha256").update(JSON.stringify(written)).digest("hex").slice(0, 16);
	const id = `settings:${fingerprint}`;
	return problemOf(value) ?? { ...rule, id, origin: "settings", createdAt: 0 };
}

/** `door` is the old name of the field. */
function channelOf({ channel, door }: Readonly<Record<string, unknown>>): unknown {
	return channel ?? door;
}

function problemOf(entry: Readonly<Record<string, unknown>>): string | undefined {
	const { channel, door, tool, ...others } = entry;
	const unknown = Object.keys(others).find((name) => !NAMES.includes(name));
	if (unknown !== undefined) return `it has ${NAMES.join(", ")}, not “${unknown}”.`;
	if (channel !== undefined && door !== undefined) return "it names its channel twice: door is the old name.";
	const named = channelOf(entry);
	if (named !== undefined && !CHANNELS.some((name) => name === named))
		return `its channel must be ${CHANNELS.join(", ")}.`;
	const isTool = tool === undefined || (typeof tool === "string" && tool.trim() !== "");
	return isTool ? undefined : "its tool must be a name.";
}

function readArgument(entry: Readonly<Record<string, unknown>>): CallArgument | string | undefined {
	const [kind, ...others] = ARGUMENT_KINDS.filter((name) => entry[name] !== undefined);
	if (!kind) return undefined;
	if (others.length > 0) return `it can name only one of ${ARGUMENT_KINDS.join(", ")}.`;
	const value = entry[kind];
	if (typeof value !== "string") return `its ${kind} must be a text.`;
	return patternProblem({ kind, value }) ?? { kind, value };
}
