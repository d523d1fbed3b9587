import * as z from "zod/mini";

export const EFFECTS = ["allow", "ask", "deny"] as const;
export const ARGUMENT_KINDS = ["command", "path", "host"] as const;

const text = z.string();
const optionalText = z.exactOptional(text);
const channel = z.enum(["chat", "tools", "cli", "mcp"]);

/** A command line, an absolute path with forward slashes, or a host with any non-default port. */
export const callArgument = z.strictObject({ kind: z.enum(ARGUMENT_KINDS), value: text });

export const newRule = z.strictObject({
	effect: z.enum(EFFECTS),
	scope: z.enum(["once", "session", "workspace", "always"]),
	/** Session id of a `session` rule; folder URI of a `workspace` rule. */
	owner: optionalText,
	channel: z.exactOptional(channel),
	/** A tool's name; `*` matches any run of characters. */
	tool: optionalText,
	/** Path glob, host, or first words of a command. After the words, `*` allows only names in the folder, `$` nothing. */
	argument: z.exactOptional(callArgument),
});

/** A rule matches requests that fit all its fields. The narrowest rule wins; of equally narrow rules, the strictest. */
export const permissionRule = z.strictObject({
	...newRule.shape,
	id: text,
	/** Rules in the settings are managed: decisions of the user elsewhere do not override these rules. */
	origin: z.enum(["settings", "person"]),
	/** Milliseconds since 1970. */
	createdAt: z.number(),
});

export const requestArgument = z.object({
	/** A `text` may mean anything: rules apply to everything that the text may mention. */
	kind: z.enum([...ARGUMENT_KINDS, "text"]),
	/** A command line, a host, or a path with symbolic links resolved. */
	value: text,
	/** The path as given in the call, if symbolic links lead elsewhere. */
	alias: optionalText,
});

export const callSource = z.object({
	channel,
	session: z.optional(text),
	/** Name of the calling agent in a chain. Rules ignore this name, because the agent's own file defines it. */
	agent: optionalText,
	/** URI of the window's first folder; empty if no folder is open. */
	workspace: text,
});

export const permissionRequest = z.object({
	...callSource.shape,
	/** The tool's name, without our prefix. */
	tool: text,
	/** Names of our tools that do the work. Rules that deny or ask for one of these tools also apply to this request. */
	uses: z.exactOptional(z.array(text)),
	/** Description of the call for the user, with every character visible. */
	title: text,
	arguments: z.array(requestArgument),
	/** Whether the call may change something. By default, calls that only read our knowledge are allowed. */
	mutates: z.boolean(),
});

export const decided = z.object({
	request: permissionRequest,
	effect: z.enum(["allow", "deny"]),
	/** Who decided: a rule, the user (`person`), VS Code (`host`), or the default. */
	by: z.enum(["rule", "person", "host", "default"]),
	rule: optionalText,
});

/** One line of the audit log. */
export const decision = z.object({
	...decided.shape,
	/** Milliseconds since 1970. */
	at: z.number(),
});
