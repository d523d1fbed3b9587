import * as vscode from "vscode";
import { isRecord } from "../base/values.ts";
import type { ChainLimits } from "../core/agent/chain.ts";
import type { EmbeddingSettings } from "../core/knowledge/embedder.ts";
import type { SearchChoice } from "../core/knowledge/knowledge.ts";
import type { StorageSettings } from "../core/knowledge/storage.ts";
import type { Settings } from "../core/settings.ts";
import { type Declared, declaredSettings, SECTION } from "./declaredSettings.ts";
import { chosenFor } from "./oldSettings.ts";

/** VS Code marks an invalid value but returns it all the same; it is treated as missing. Spaces around a text are omitted. */
export function setting<Name extends keyof Settings>(name: Name): Settings[Name] {
	const declared = declaredSettings()[name];
	if (!declared) throw new Error(`There is no setting ${SECTION}.${name}.`);
	const { user, workspace } = chosenFor(name);
	const configuration = vscode.workspace.getConfiguration(SECTION);
	if (declared.properties)
		return membersThatFit([configuration.get(name), user, workspace], declared) as Settings[Name];
	const value = workspace ?? user ?? configuration.get(name, declared.default);
	const fitting = fits(value, declared) ? value : declared.default;
	return (typeof fitting === "string" ? fitting.trim() : fitting) as Settings[Name];
}

/** The members of values, of which later ones win; an invalid one is replaced by its default. */
function membersThatFit(values: readonly unknown[], declared: Declared): object {
	const { properties = {}, additionalProperties = false } = declared;
	const defaults = Object.entries(properties).map(([name, property]) => [name, property.default]);
	const fitting = Object.entries(Object.assign({}, ...values)).filter(([name, value]) => {
		const member = properties[name] ?? additionalProperties;
		return member && fits(value, member);
	});
	return Object.fromEntries([...defaults, ...fitting]);
}

function fits(value: unknown, { type = [], enum: choices, items }: Declared): boolean {
	const fitInside = !items || Object.values(value ?? {}).every((item) => fits(item, items));
	return [type].flat().some((name) => isA(name, value)) && fitInside && (choices?.includes(value) ?? true);
}

function isA(type: string, value: unknown): boolean {
	if (type === "array") return Array.isArray(value);
	if (type === "null") return value === null;
	return type === "object" ? isRecord(value) : typeof value === (type === "integer" ? "number" : type);
}

export function answerLimits(): { readonly tokens: number; readonly seconds: number } {
	const { answerTokens: tokens, answerTimeout: seconds } = setting("agents.limits");
	return { tokens, seconds };
}

export function chainLimits(): ChainLimits {
	const { maxDepth: depth, maxTokens: tokens, maxMinutes, concurrency } = setting("agents.limits");
	return { depth, tokens, time: maxMinutes * 60_000, concurrency };
}

/** The globs of `files.exclude` and `search.exclude` that are on without a condition. */
export function excludedGlobs(): string[] {
	const sections = ["files", "search"].map((name) =>
		vscode.workspace.getConfiguration(name).get<Record<string, unknown>>("exclude", {}),
	);
	return sections.flatMap((globs) => Object.keys(globs).filter((glob) => globs[glob] === true));
}

/** The model that embeds texts; empty options are omitted. Prefixes may end in a significant space. */
export function embeddingSettings(): EmbeddingSettings {
	const { folder, endpoint, model, dimensions, ...options } = setting("embedding.options");
	return {
		...options,
		provider: setting("embedding.provider"),
		folder: folder.trim(),
		endpoint: endpoint.trim(),
		model: model.trim(),
		...(dimensions !== null && { dimensions }),
	};
}

export function storageSettings(): StorageSettings {
	const { readOnly, memory: memoryMb, ...options } = setting("storage.options");
	return { uri: setting("storage.uri"), options, readOnly, memoryMb };
}

/** How it is searched if a call does not say. The manifest no longer lists these settings; they are still read. */
export function searchChoice(): SearchChoice {
	const search = vscode.workspace.getConfiguration("copilot-ld").get<Record<string, unknown>>("search", {});
	const { index, threshold, maxTokens } = search;
	return {
		...((index === "content" || index === "descriptor") && { index }),
		...(typeof threshold === "number" && threshold > 0 && { threshold: Math.min(1, threshold) }),
		...(typeof maxTokens === "number" && maxTokens >= 1 && { maxTokens: Math.floor(maxTokens) }),
	};
}

export function permissionRules(): { readonly user: unknown; readonly workspace: readonly unknown[] } {
	const { user, workspace, folders } = chosenFor("permissions.rules");
	return { user, workspace: [workspace, ...folders].filter((value) => value !== undefined) };
}

/** Where traces are sent, as OTLP over HTTP, empty if they are not; and whether they carry what was asked, answered and read. */
export function tracing(): Settings["telemetry.otlp"] {
	const { endpoint, contents } = setting("telemetry.otlp");
	return { endpoint: endpoint.trim(), contents };
}
