import type { FileProblem } from "../fileProblem.ts";
import type { SearchedIndex } from "../knowledge/knowledge.ts";
import type { McpServer, PluginResource } from "./resource.ts";
import type { Field, NamedTypes } from "./valueType.ts";

/** Plugins folder of a workspace folder or a home folder. */
export const PLUGINS_FOLDER = ".copilot-ld/plugins";

/** A plugin as described by a file of a folder or of the user. Every word of it is untrusted. */
export interface PluginDefinition {
	/** The name of its folder: lower-case letters, digits and hyphens; the first with a name has it. */
	readonly name: string;
	readonly groupId: string;
	readonly artifactId: string;
	readonly version: string;
	/** Unique among plugins of the same component. */
	readonly instance: string;
	/** For people, and for models. */
	readonly title: string;
	readonly description: string;
	readonly descriptionForModel: string;
	/** System prompt for a model that works for it; may be empty. */
	readonly prompt: string;
	readonly commands: readonly PluginCommand[];
	/** Hosts that its requests may contact: names, with their port if that is not the default, and addresses. */
	readonly hosts: readonly string[];
	readonly resources: readonly PluginResource[];
	readonly types: NamedTypes;
	readonly config: readonly ConfigValue[];
	readonly hooks: readonly PluginHook[];
	/** The copilot in whose folder it is, which alone can call it. */
	readonly within?: string;
	/** The same copilot: the user agrees to everything in its folder at once. */
	readonly agreedWith?: Readonly<Record<"uri" | "instance", string>>;
	readonly isDisabled: boolean;
	readonly source: PluginSource;
	/** Changes with its files, and with what the workspace says of it and of those in its folder; absent if they are too many to look at. */
	readonly fingerprint?: string;
}

export interface PluginSource {
	/** A `file:` URI. */
	readonly uri: string;
	readonly level: PluginLevel;
}

export type PluginLevel = "workspace" | "user";

/** The source of a configured value; later sources override earlier ones. */
export type ConfigOrigin = "plugin" | PluginLevel | "session";

/** One value of a configuration: a list is one, a mapping is as many as it holds. */
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

/** A command of a plugin that is run around turns and calls, without being called. */
export interface PluginHook {
	readonly event: HookEvent;
	readonly command: string;
	/** Patterns of tools whose calls run the hook; empty for all tools. */
	readonly tools: readonly string[];
	/** The hook refuses if its result begins with this text; if absent, it never refuses. */
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
	/** From 1. */
	readonly line: number;
}

export type Executor =
	/** A variable with the name of a parameter is bound to what is given for it. */
	| { readonly kind: "sparql"; readonly query: string; readonly limit?: number }
	/** `{{name}}` in `query` is replaced by a parameter. */
	| {
			readonly kind: "retrieval";
			readonly query: string;
			readonly types?: readonly string[];
			readonly sources?: readonly string[];
			readonly index?: SearchedIndex;
			readonly limit?: number;
			readonly threshold?: number;
			readonly maxTokens?: number;
			/** The index; its sources and types are already included above. */
			readonly resource?: PluginResource;
	  }
	/** Asks our own loop, which may use these tools; `{{name}}` is replaced by a parameter. */
	| {
			readonly kind: "prompt";
			readonly template: string;
			readonly tools: readonly string[];
			/** Plugins whose commands a copilot may call; each call is decided on. */
			readonly plugins?: readonly string[];
			/** The model; any model if absent. */
			readonly resource?: PluginResource;
	  }
	| ActingExecutor;

/** May change something, or send something away: the user or a rule allows each call. `{{name}}` is replaced by a parameter. */
export type ActingExecutor =
	| { readonly kind: "vscode"; readonly command: string; readonly arguments: readonly unknown[] }
	/** A tool that VS Code knows, or one of the MCP server that is its resource. */
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
			/** Its host is one of the plugin's and contains no placeholder. */
			readonly url: string;
			readonly headers: Readonly<Record<string, string>>;
			/** Sent as JSON. */
			readonly body?: unknown;
			/** For a SPARQL endpoint, sent in place of a body with its variables bound as in `sparql`. */
			readonly query?: string;
			/** Seconds. */
			readonly timeout: number;
			readonly resource?: PluginResource;
	  }
	| {
			readonly kind: "program";
			/** A name on the PATH, or a path within the plugin's folder that begins with `./`. */
			readonly program: string;
			/** Each is one argument of the program, whatever is in it. */
			readonly arguments: readonly string[];
			/** For its standard input. */
			readonly input?: string;
			/** Seconds. */
			readonly timeout: number;
			/** The folder that it works in, below the usual one. */
			readonly resource?: PluginResource;
	  };

export const HTTP_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Whether it may do more than read what we know; what comes later does, until it is named below. */
export function isActing(executor: Executor): executor is ActingExecutor {
	return !READING.has(executor.kind);
}

const READING: ReadonlySet<Executor["kind"]> = new Set(["sparql", "retrieval", "prompt"]);

/** The plugins of a workspace; those with an error among their problems are not among them. */
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

/** The plugin and the command of a tool's name; `undefined` for other tools. */
export function commandOf(tool: string): { readonly plugin: string; readonly command: string } | undefined {
	const [, plugin, command] = /^plugin_([a-z][a-z0-9-]*)_(\w+)$/.exec(tool) ?? [];
	return plugin === undefined || command === undefined ? undefined : { plugin, command };
}

/** What models call it: names of tools may have no colon. The name of a plugin has no underscore. */
export function toolNameOf(plugin: string, command: string): string {
	return `plugin_${plugin}_${command}`;
}

/** `unseen` if the user never agreed to the plugin, `changed` if they agreed to an earlier version. */
export type ConsentState = "agreed" | "changed" | "unseen";

export interface PluginConsents {
	consentStateOf(plugin: PluginDefinition): Promise<ConsentState>;
	/** Agrees to the current version. Rejects if changes to it could not be detected. */
	agree(plugin: PluginDefinition): Promise<void>;
}
