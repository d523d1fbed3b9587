import type { CallArgument, PermissionRequest } from "../core/permission/permission.ts";

/** A rule that a person may make of an answer. */
export interface RuleOffer {
	/** Absent where the rule is for every call of the tool. */
	readonly argument?: CallArgument;
	/** What it frees, in words for a person. */
	readonly frees: string;
}

/** The rules that may be offered for a call, the narrowest first; none where this call alone can be allowed. */
export function offersFor(request: PermissionRequest): readonly RuleOffer[] {
	const argument = widerArgument(request);
	if (argument) return [{ argument, frees: argument.value }];
	return canAllowTool(request) ? [{ frees: `every call of ${request.tool}` }] : [];
}

/** Characters that join commands, or put the output of one into another. */
const COMPOUND = /[;&|<>`$()\n\r\\"'{}*?[\]]/;

/** Stands for more than itself in a rule for paths or hosts. */
const WILDCARD = /[*?]/;

/** Words after a program that name what it does, not what it does it to. */
const SUBCOMMAND = /^[a-z][a-z-]*$/;

/**
 * What a rule for more than this call speaks of: of a command its program with its subcommand, of a path and of a
 * host the same one. `undefined` where nothing wider would be safe to offer.
 */
function widerArgument({ arguments: args }: PermissionRequest): CallArgument | undefined {
	const [first, ...others] = args;
	if (!first || others.length > 0) return undefined;
	if (first.kind !== "command") return WILDCARD.test(first.value) ? undefined : first;
	if (COMPOUND.test(first.value)) return undefined;
	const [program = "", next = ""] = first.value.trim().split(/\s+/);
	const isSafe = SUBCOMMAND.test(next) && WITH_SUBCOMMANDS.has(program) && !RUNNERS.has(next);
	return { kind: "command", value: isSafe ? `${program} ${next}` : first.value.trim() };
}

/** Whether a rule for every call of the tool may be offered: not where what this call does could not be read. */
function canAllowTool({ tool, arguments: args }: PermissionRequest): boolean {
	return args.length === 0 && !TOOLS_WITH_ARGUMENTS.has(tool);
}

/** Their calls name what they do; `other` is what has no name of its own. */
const TOOLS_WITH_ARGUMENTS = new Set(["shell", "edit", "delete", "move", "fetch", "other"]);

/** Programs whose second word says what they do; of others, only the same command is allowed again. */
const WITH_SUBCOMMANDS = new Set([
	...["git", "gh", "npm", "pnpm", "yarn", "bun", "cargo", "go", "dotnet", "docker", "kubectl", "terraform"],
	...["pip", "uv", "poetry", "mvn", "gradle", "make", "brew", "apt", "systemctl"],
]);

/** Second words that run whatever comes after them, or say what other commands run. */
const RUNNERS = new Set([
	"run",
	"exec",
	"x",
	"dlx",
	"create",
	"config",
	"alias",
	"api",
	"bisect",
	"submodule",
]);
