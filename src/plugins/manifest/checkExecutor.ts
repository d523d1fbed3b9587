import { isFailure } from "../../base/failure.ts";
import { textOf } from "../../base/values.ts";
import { type ActingExecutor, type CommandBody, type Executor, isActing } from "../../core/plugin/plugin.ts";
import type { Field } from "../../core/plugin/valueType.ts";
import { bindQuery, countsIn, variablesIn } from "../queries/bindQuery.ts";
import type { Place, Report } from "../types/readType.ts";
import { OWN_FOLDER, placesIn } from "./template.ts";

/** Reports mistakes beyond the schema: unused parameters, missing values, invalid names and hosts. */
export function checkExecutor(
	{ parameters, executor, name, placeOf }: CommandBody & { placeOf(field: string): Place },
	{ config, hosts, report }: Readonly<Record<"config" | "hosts", readonly string[]>> & { report: Report },
): void {
	// Problems are reported at the field with the placeholders, if the executor has a single such field.
	const at = placeOf(["query", "template", "url"].find((field) => Object.hasOwn(executor, field)) ?? "");
	const query = queryOf(executor);
	const used = query === undefined ? new Set(placesIn(executor)) : variablesIn(query);
	for (const parameter of parameters.filter((one) => !used.has(one.name))) {
		const isPointless = parameter.isRequired && query !== undefined;
		const message = `“${name}” does not use its parameter “${parameter.name}”.`;
		report[isPointless ? "error" : "warning"](at, message);
	}
	const names = [...parameters.map((parameter) => parameter.name), ...config];
	if (executor.kind === "program") names.push(OWN_FOLDER);
	const wrong =
		query === undefined
			? [...used.difference(new Set(names))].map((one) => `“${one}” has no value.`)
			: mistakesInQuery(query, parameters, config);
	for (const message of wrong) report.error(at, message);
	if (!isActing(executor)) return;
	checkActing(executor, hosts, (field, message) => report.error(placeOf(field), message));
}

/** Mistakes that let a query fail or match anything for some values. `config` has the configured names. */
function mistakesInQuery(query: string, parameters: readonly Field[], config: readonly string[]): string[] {
	const required = parameters.filter(({ isRequired }) => isRequired).map(({ name }) => name);
	const uncounted = countsIn(query).filter((name) => !config.includes(name) && !required.includes(name));
	return [
		...parameters.flatMap((parameter) => bindingMistake(query, parameter) ?? []),
		...uncounted.map(
			(name) => `“${name}” may have no value, but LIMIT and OFFSET need one: give it one in config.`,
		),
	];
}

function bindingMistake(query: string, { name, type }: Field): string | undefined {
	const isList = type.kind === "list";
	const { kind } = isList ? type.items : type;
	if (!Object.hasOwn(SAMPLES, kind))
		return `“${name}” cannot be used in a query: it is not a text, a number, a flag, or a list of them.`;
	const value = isList ? [SAMPLES[kind]] : SAMPLES[kind];
	try {
		bindQuery(query, new Map([[name, { value, kind }]]));
		return undefined;
	} catch (thrown) {
		if (isFailure(thrown)) return thrown.message;
		throw thrown;
	}
}

const SAMPLES: Readonly<Record<string, unknown>> = {
	string: "text",
	iri: "urn:thing",
	date: "2026-01-31",
	int: 1,
	float: 1.5,
	bool: true,
};

export type Wrong = (field: string, message: string) => void;

function checkActing(executor: ActingExecutor, hosts: readonly string[], wrong: Wrong): void {
	if (executor.kind === "http") return void checkAddress(executor, hosts, wrong);
	const [field, allowed, wanted] = NAMES[executor.kind];
	const name = ("name" in executor ? executor.name : textOf(executor, field)) ?? "";
	const goesUp = /(?:^|\/)\.\.?(?:\/|$)/.test(name.slice(2));
	if (!allowed.test(name) || goesUp || /\.(?:cmd|bat)$/i.test(name))
		wrong(field, `“${name.slice(0, 100)}” is not possible here: ${wanted}.`);
}

/** By kind: the field that names what the command starts, a pattern of allowed names, and advice. */
const NAMES = {
	vscode: [
		"command",
		/^(?!_|copilot-ld\.)[\w.-]+$/,
		"give the id of a command of VS Code or of another extension, without placeholders",
	],
	tool: [
		"tool",
		/^(?!copilot-ld_)[\w./-]+$/,
		"give the name of a tool that is not one of Copilot-LD, without placeholders",
	],
	agent: ["agent", /^[^{}]+$/, "give the name of an agent, without placeholders"],
	chain: ["chain", /^[^{}]+$/, "give the name of a chain, without placeholders"],
	// Absolute paths are not allowed, because the author cannot know where programs are installed.
	program: [
		"program",
		/^(?:\.\/(?!\.)[\w+-][\w./+-]*|[\w+-][\w.+-]*)$/,
		"give the name of a program, or a path that begins with ./ and does not go up; .cmd and .bat files are not supported",
	],
} as const;

/** Returns the mistake in a host, if any. Only the normal form of URLs is allowed: one spelling per host. */
export function hostMistake(host: string): string | undefined {
	const isHost =
		/^(?:[a-z\d.-]+|\[[a-f\d:]+\])(?::\d+)?$/.test(host) &&
		["https", "http"].some((scheme) => URL.parse(`${scheme}://${host}/`)?.host === host);
	return isHost
		? undefined
		: `“${host.slice(0, 100)}” is not a host. Write example.org, localhost:8080, or 127.0.0.1:8080.`;
}

export function hostOf(url: string): string | undefined {
	const [origin] = ORIGIN.exec(url) ?? [];
	return origin === undefined || placesIn(origin).length > 0 ? undefined : URL.parse(url)?.host;
}

const ORIGIN = /^https?:\/\/[^/?#\\]*/i;

/** Headers that plugins cannot set, because they control how, or to whom, a request is sent. */
const OURS =
	/^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|keep-alive|proxy-.*|accept-encoding)$/i;

export function checkAddress(
	{ url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
	hosts: readonly string[],
	wrong: Wrong,
): void {
	const mistake = urlMistake(url, hosts);
	if (mistake !== undefined) wrong("url", mistake);
	for (const name of Object.keys(headers))
		if (!/^[\w-]+$/.test(name) || OURS.test(name))
			wrong("headers", `The header “${name.slice(0, 100)}” cannot be set here.`);
}

function urlMistake(url: string, hosts: readonly string[]): string | undefined {
	const [origin] = ORIGIN.exec(url) ?? [];
	if (origin === undefined) return "An address begins with https:// or http://.";
	if (placesIn(origin).length > 0)
		return "The host must not contain placeholders: it must be known beforehand.";
	const parsed = URL.parse(url);
	if (!parsed || parsed.username + parsed.password !== "")
		return "This is not an address, or it contains a name and a password.";
	return hosts.includes(parsed.host)
		? undefined
		: `“${parsed.host}” is not one of the plugin's hosts. Add it to hosts.`;
}

export function queryOf(executor: Executor): string | undefined {
	return executor.kind === "sparql" || executor.kind === "http" ? executor.query : undefined;
}
