import type { FileProblem } from "../fileProblem.ts";
import type { SearchedIndex } from "../knowledge/knowledge.ts";
import type { McpServer, PluginResource } from "./resource.ts";
import type { Field, NamedTypes } from "./valueType.ts";

/** Folder of plugins, relative to a workspace folder or the home folder. */
export const PLUGINS_FOLDER = ".copilot-ld/plugins";

/** A plugin defined in a file of a folder or of the user. All of its text is untrusted. */
export interface PluginDefinition {
	/**
	 * Name of the plugin's folder: lower-case letters, digits and hyphens. Of plugins with equal names, the first
	 * wins.
	 */
	readonly name: string;
	readonly groupId: string;
	readonly artifactId: string;
	readonly version: string;
	/** Unique among plugins with the same group and artifact. */
	readonly instance: string;
	readonly title: string;
	readonly description: string;
	readonly descriptionForModel: string;
	readonly prompt: string;
	readonly commands: readonly PluginCommand[];
	/** Hosts that the plugin's requests may contact: names, with any non-default port, and addresses. */
	readonly hosts: readonly string[];
	readonly resources: readonly PluginResource[];
	readonly types: NamedTypes;
	readonly config: readonly ConfigValue[];
	readonly hooks: readonly PluginHook[];
	/** The copilot whose folder contains the plugin. No other caller can use the plugin. */
	readonly within?: string;
	/** The enclosing copilot, if the user agrees to the copilot's whole folder at once. */
	readonly agreedWith?: Readonly<Record<"uri" | "instance", string>>;
	readonly isDisabled: boolean;
	readonly source: PluginSource;
	/** Digest of the plugin's files, configuration and nested plugins; absent if there are too many files to hash. */
	readonly fingerprint?: string;
}

export interface PluginSource {
	/** A `file:` URI. */
	readonly uri: string;
	readonly level: PluginLevel;
}

export type PluginLevel = "workspace" | "user";

/** The source of a configured value; later sources in this list take precedence. */
export type ConfigOrigin = "plugin" | PluginLevel | "session";

/** One configured value. A list is a single value; a mapping is flattened to its values. */
export interface ConfigValue {
	readonly path: readonly string[];
	readonly value: unknown;
	readonly origin: ConfigOrigin;
}

export const HOOK_EVENTS = [
	"session_start",
	"before_prompt",
	"before_call",
	"after_call",
	"session_end",
] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

export interface PluginHook {
	readonly event: HookEvent;
	readonly command: string;
	/** Patterns of tools whose calls run the hook; empty for all tools. */
	readonly tools: readonly string[];
	/** The hook denies the call if the hook's own result begins with this text; absent if the hook never denies. */
	readonly denyWhen?: string;
	readonly reason?: string;
	readonly timeoutMs: number;
}

export interface CommandBody {
	readonly name: string;
	readonly description: string;
	readonly parameters: readonly Field[];
	readonly response: string;
	readonly executor: Executor;
}

export interface PluginCommand extends CommandBody {
	/** Counted from 1. */
	readonly line: number;
}

export type Executor =
	/** Each parameter is bound to the variable of the same name. */
	| { readonly kind: "sparql"; readonly query: string; readonly limit?: number }
	/** `{{name}}` in `query` is replaced by the parameter's value. */
	| {
			readonly kind: "retrieval";
			readonly query: string;
			readonly types?: readonly string[];
			readonly sources?: readonly string[];
			readonly index?: SearchedIndex;
			readonly limit?: number;
			readonly threshold?: number;
			readonly maxTokens?: number;
			/** The index. Its sources and types are already merged into the fields above. */
			readonly resource?: PluginResource;
	  }
	/** Asks our own loop, limited to these tools; `{{name}}` is replaced by the parameter's value. */
	| {
			readonly kind: "prompt";
			readonly template: string;
			readonly tools: readonly string[];
			/** Plugins whose commands a copilot may call; each call needs permission. */
			readonly plugins?: readonly string[];
			/** The model; any available model if absent. */
			readonly resource?: PluginResource;
	  }
	| ActingExecutor;

/** Executors that may change something or send data and need permission. `{{name}}` is replaced by a parameter. */
export type ActingExecutor =
	| { readonly kind: "vscode"; readonly command: string; readonly arguments: readonly unknown[] }
	/** A tool registered in VS Code, or a tool of the MCP server in `resource`. */
	| {
			readonly kind: "tool";
			readonly tool: string;
			readonly input: Readonly<Record<string, unknown>>;
			readonly resource?: McpServer;
	  }
	| { readonly kind: "agent" | "chain"; readonly name: string; readonly template: string }
	| {
			readonly kind: "http";
			readonly method: (typeof HTTP_METHODS)[number];
			/** The host is one of the plugin's hosts and contains no placeholder. */
			readonly url: string;
			readonly headers: Readonly<Record<string, string>>;
			/** Sent as JSON. */
			readonly body?: unknown;
			/** Query for a SPARQL endpoint, sent instead of a body, with variables bound as in `sparql`. */
			readonly query?: string;
			/** Seconds. */
			readonly timeout: number;
			readonly resource?: PluginResource;
	  }
	| {
			readonly kind: "program";
			/** A name on the PATH, or a path in the plugin's folder that begins with `./`. */
			readonly program: string;
			/** Each entry is exactly one argument of the program, even with spaces or quotation marks. */
			readonly arguments: readonly string[];
			readonly input?: string;
			/** Seconds. */
			readonly timeout: number;
			/** The working directory: a folder below the default working directory. */
			readonly resource?: PluginResource;
	  };

export const HTTP_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Whether the command may do more than read our knowledge. Kinds that `READING` does not list count as acting. */
export function isActing(executor: Executor): executor is ActingExecutor {
	return !READING.has(executor.kind);
}

const READING: ReadonlySet<Executor["kind"]> = new Set(["sparql", "retrieval", "prompt"]);

export interface PluginRegistry {
	readonly plugins: readonly PluginDefinition[];
	readonly problems: readonly FileProblem[];
}

export interface PluginFiles {
	registry(signal: AbortSignal): Promise<PluginRegistry>;
	watch(onChange: () => void, signal: AbortSignal): Promise<void>;
}

export function commandName(plugin: string, command: string): string {
	return `${plugin}:${command}`;
}

/** The plugin and command that a tool name refers to; `undefined` for other tools. */
export function commandOf(tool: string): { readonly plugin: string; readonly command: string } | undefined {
	const [, plugin, command] = /^plugin_([a-z][a-z0-9-]*)_(\w+)$/.exec(tool) ?? [];
	return plugin === undefined || command === undefined ? undefined : { plugin, command };
}

/** Tool names must not contain colons. The underscores separate the names, because plugin names contain none. */
export function toolNameOf(plugin: string, command: string): string {
	return `plugin_${plugin}_${command}`;
}

/** `unseen` if the user never agreed to the plugin, `changed` if they agreed to an earlier version. */
export type ConsentState = "agreed" | "changed" | "unseen";

export interface PluginConsents {
	consentStateOf(plugin: PluginDefinition): Promise<ConsentState>;
	/** Agrees to the current version. Rejects if later changes could not be detected. */
	agree(plugin: PluginDefinition): Promise<void>;
}
