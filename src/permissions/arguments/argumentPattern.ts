import type { CallArgument, RequestArgument } from "../../core/permission/permission.ts";
import { parseCommandLine } from "../commands/commandLine.ts";
import {
	type CommandPattern,
	coversCommand,
	freesCommand,
	type Meeting,
	meetsCommand,
	readCommandPattern,
} from "../commands/commandPattern.ts";
import { type Readings, readingsOf } from "../commands/readings.ts";
import {
	coversHost,
	coversPath,
	folderPath,
	globSegments,
	hostName,
	pathSegments,
	type Segments,
} from "./pattern.ts";

export type ArgumentPattern =
	| ({ readonly kind: "command" } & CommandPattern)
	| { readonly kind: "path"; readonly segments: Segments }
	| { readonly kind: "host"; readonly value: string };

export type Subject =
	| ({ readonly kind: "command" } & Readings)
	| { readonly kind: "unclear" }
	| {
			readonly kind: "path";
			readonly segments: readonly string[];
			readonly others: readonly (readonly string[])[];
	  }
	| { readonly kind: "host"; readonly value: string };

export interface Disk {
	readonly ignoreCase: boolean;
	/** Paths on disk to which the words of texts and command lines refer, by the value of the argument. */
	readonly places?: ReadonlyMap<string, Places>;
}

export interface Surroundings extends Disk {
	/** URI of the folder for relative globs; empty if no folder is open. */
	readonly workspace: string;
}

export interface Places {
	readonly paths: readonly string[];
	readonly isWhole: boolean;
}

export function patternProblem({ kind, value }: CallArgument): string | undefined {
	if (kind === "command" && !readCommandPattern(value))
		return `“${value}” is not the beginning of one command. Write plain words, for example “git status”, and at the end “*” for names within the folder only or “$” for nothing more.`;
	if (kind === "host" && !hostName(value))
		return `“${value}” is not a host. Write “example.com”, “*.example.com” or “*”, with a port or without.`;
	if (kind === "path" && (value.trim() === "" || value.split("/").includes("..")))
		return `“${value}” is not a glob for paths. Write it without “..”, for example “src/**”.`;
	return undefined;
}

/** Returns `undefined` if the pattern cannot match anything here. */
export function readPattern(
	{ kind, value }: CallArgument,
	{ workspace, ignoreCase }: Surroundings,
): ArgumentPattern | undefined {
	if (kind === "host") return hostName(value) && { kind, value };
	if (kind === "command") {
		const pattern = readCommandPattern(value);
		return pattern && { kind, ...pattern };
	}
	const glob = absoluteGlob(value, workspace);
	if (glob === undefined || value.split("/").includes("..")) return undefined;
	return { kind, segments: globSegments(ignoreCase ? glob.toLowerCase() : glob) };
}

/** Returns the parts of an argument to judge: one per command of a command line, none for a text. */
export function subjectsOf(argument: RequestArgument, { ignoreCase }: Surroundings): Subject[] {
	const { kind, value, alias = value } = argument;
	if (kind === "text") return [];
	if (kind === "host") return [{ kind, value }];
	if (kind === "path") {
		const [segments, written] = [value, alias].map((path) =>
			pathSegments(ignoreCase ? path.toLowerCase() : path),
		);
		const others = [written, segments?.map(bareName), written?.map(bareName)];
		return [{ kind, segments: segments ?? [], others: others.filter((other) => other !== undefined) }];
	}
	const { commands, isClear } = parseCommandLine(value);
	const subjects = commands.map((command) => ({ kind: "command" as const, ...readingsOf(command) }));
	return isClear ? subjects : [...subjects, { kind: "unclear" }];
}

/** Whether a pattern matches a subject literally, because an allowed call must be exactly what the user meant. */
export function meetsExactly(pattern: ArgumentPattern, subject: Subject): boolean {
	if (pattern.kind === "command" && subject.kind === "command") return freesCommand(pattern, subject);
	if (pattern.kind === "path" && subject.kind === "path")
		return coversPath(pattern.segments, subject.segments);
	return pattern.kind === "host" && subject.kind === "host" && coversHost(pattern.value, subject.value);
}

/** Whether a pattern matches a subject in any spelling, because a denied call must not pass under another name. */
export function meetsLoosely(pattern: ArgumentPattern, subject: Subject): Meeting {
	if (pattern.kind === "path" && subject.kind === "path")
		return [subject.segments, ...subject.others].some((path) => coversPath(pattern.segments, path))
			? "yes"
			: "no";
	if (pattern.kind !== "command") return meetsExactly(pattern, subject) ? "yes" : "no";
	if (subject.kind === "unclear") return "maybe";
	return subject.kind === "command" ? meetsCommand(pattern, subject) : "no";
}

export function coversPattern(outer: ArgumentPattern, inner: ArgumentPattern): boolean {
	if (outer.kind === "command" && inner.kind === "command") return coversCommand(outer, inner);
	if (outer.kind === "path" && inner.kind === "path") return coversPath(outer.segments, inner.segments);
	return outer.kind === "host" && inner.kind === "host" && coversHost(outer.value, inner.value);
}

/** Resolves a relative glob against the window's folder. A glob that begins with `**` matches anywhere. */
function absoluteGlob(value: string, workspace: string): string | undefined {
	const glob = value.trim().replaceAll("\\", "/");
	if (glob === "") return undefined;
	if (/^(?:\/|[A-Za-z]:\/|\*\*(?:\/|$))/.test(glob)) return glob;
	return workspace === "" ? undefined : `${escapedGlob(folderPath(workspace))}/${glob}`;
}

/** Escapes a folder's name: `?` matches any character, so also a literal `*`. */
export function escapedGlob(path: string): string {
	return path.replaceAll("*", "?");
}

/** Removes trailing spaces and dots, and the name of a stream, as Windows does. */
function bareName(segment: string): string {
	return segment.replace(/^([^:]+):.*$/s, "$1").replace(/[ .]+$/, "");
}
