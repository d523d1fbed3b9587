import type { ActingExecutor } from "../../core/plugin/plugin.ts";
import { placesIn } from "./template.ts";

export interface Mistake {
	readonly field: string;
	readonly message: string;
}

/** What its schema cannot say of an executor that may do more than read. */
export function mistakesIn(executor: ActingExecutor, hosts: readonly string[]): Mistake[] {
	switch (executor.kind) {
		case "vscode":
			return nameMistakes("command", executor.command, /^(?!_|copilot-ld\.)[\w.-]+$/);
		case "tool":
			return nameMistakes("tool", executor.tool, /^(?!copilot-ld_)[\w./-]+$/);
		case "agent":
		case "chain":
			return nameMistakes(executor.kind, executor.name, /^[^{}]+$/);
		case "program":
			return nameMistakes("program", executor.program, PROGRAM);
		case "http":
			return [...urlMistakes(executor.url, hosts), ...headerMistakes(executor.headers)];
	}
}

/** No absolute path, because the author of the file cannot know the location of programs. */
const PROGRAM = /^(?:\.\/(?!\.)[\w+-][\w./+-]*|[\w+-][\w.+-]*)$/;

function nameMistakes(field: string, name: string, allowed: RegExp): Mistake[] {
	if (allowed.test(name) && !/(?:^|\/)\.\.?(?:\/|$)/.test(name.slice(2)) && !/\.(?:cmd|bat)$/i.test(name))
		return [];
	return [{ field, message: `“${name.slice(0, 100)}” is not possible here: ${WANTED[field]}.` }];
}

const WANTED: Readonly<Record<string, string>> = {
	command: "give the id of a command of VS Code or of another extension, without placeholders",
	tool: "give the name of a tool that is not one of Copilot-LD, without placeholders",
	agent: "give the name of an agent, without placeholders",
	chain: "give the name of a chain, without placeholders",
	program:
		"give the name of a program, or a path that begins with ./ and does not go up; .cmd and .bat files are not supported",
};

/** As requests name them: no address of a host can be written in two ways. */
export function hostMistake(host: string): string | undefined {
	const isHost =
		/^(?:[a-z\d.-]+|\[[a-f\d:]+\])(?::\d+)?$/.test(host) &&
		["https", "http"].some((scheme) => URL.parse(`${scheme}://${host}/`)?.host === host);
	return isHost
		? undefined
		: `“${host.slice(0, 100)}” is not a host. Write example.org, localhost:8080, or 127.0.0.1:8080.`;
}

/** The host of an address, if it contains no placeholder. */
export function hostOf(url: string): string | undefined {
	const [origin] = ORIGIN.exec(url) ?? [];
	return origin === undefined || placesIn(origin).length > 0 ? undefined : URL.parse(url)?.host;
}

const ORIGIN = /^https?:\/\/[^/?#\\]*/i;

function urlMistakes(url: string, hosts: readonly string[]): Mistake[] {
	const wrong = (message: string): Mistake[] => [{ field: "url", message }];
	const [origin] = ORIGIN.exec(url) ?? [];
	if (origin === undefined) return wrong("An address begins with https:// or http://.");
	if (placesIn(origin).length > 0)
		return wrong("The host must not contain placeholders: it must be known beforehand.");
	const parsed = URL.parse(url);
	if (!parsed || parsed.username + parsed.password !== "")
		return wrong("This is not an address, or it contains a name and a password.");
	if (hosts.includes(parsed.host)) return [];
	return wrong(`“${parsed.host}” is not one of the plugin's hosts. Add it to hosts.`);
}

/** Names that say how, or to whom, a request is sent. */
const OURS =
	/^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|keep-alive|proxy-.*|accept-encoding)$/i;

function headerMistakes(headers: Readonly<Record<string, string>>): Mistake[] {
	return Object.keys(headers)
		.filter((name) => !/^[\w-]+$/.test(name) || OURS.test(name))
		.map((name) => ({ field: "headers", message: `The header “${name.slice(0, 100)}” cannot be set here.` }));
}
