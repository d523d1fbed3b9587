import { parseDocument } from "yaml";
import { isRecord } from "../../base/values.ts";
import { isDeepYaml } from "../../base/yaml/deepYaml.ts";
import { splitFrontMatter } from "../../loads/frontMatter.ts";

/** Parses only what every parser must read alike; `undefined` if one could read it differently. */
export function parseJson(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		// Parsers differ on which of two equal keys counts.
		return keysWritten(text) === keysIn(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

function keysWritten(text: string): number {
	return [...text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:?)/g)].filter(([, colon]) => colon !== "").length;
}

function keysIn(value: unknown): number {
	if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + keysIn(item), 0);
	if (!isRecord(value)) return 0;
	return Object.entries(value).reduce((sum, [, item]) => sum + 1 + keysIn(item), 0);
}

/** The fields above a Markdown text; `undefined` if they cannot be read for sure. */
export function parseFrontMatter(text: string): Readonly<Record<string, unknown>> | undefined {
	const head = splitFrontMatter(text)?.head;
	// It looks like fields, but not in a form that every parser reads.
	if (head === undefined) return /^\s*[﻿]?\s*(?:---|\+\+\+|;;;)/.test(text) ? undefined : {};
	if (isDeepYaml(head)) return undefined;
	const document = parseDocument(head, { logLevel: "error" });
	if (document.errors.length > 0 || document.warnings.length > 0) return undefined;
	try {
		const value: unknown = document.toJS({ maxAliasCount: 0 }) ?? {};
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
}
