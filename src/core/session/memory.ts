import type { AtDoor, RulesByDoor } from "../permission/permission.ts";

export interface Person {
	/** What gave the id: "github", or "system" for a user of the operating system. Other versions may know others. */
	readonly source: string;
	readonly id: string;
	readonly label: string;
}

/** A person by all their names; new data carries the first. Data with any of the names, or without one, is theirs. */
export type Reader = readonly [Person, ...Person[]];

export function belongsTo(reader: Reader, person: Person | undefined): boolean {
	if (person === undefined) return true;
	return reader.some((name) => name.source === person.source && name.id === person.id);
}

export type FactScope = "session" | "workspace" | "user";

/** Something to be remembered. Times are milliseconds since 1970. */
export interface Fact extends NewFact {
	readonly id: string;
	/** Whose memory it is in; everyone's who reads the folder if omitted. */
	readonly person?: Person;
	/** What was hidden at that time, added by the owner of the facts. */
	readonly rules?: RulesByDoor | undefined;
	readonly createdAt: number;
	readonly updatedAt: number;
}

export interface NewFact {
	readonly text: string;
	readonly scope: FactScope;
	readonly owner?: string;
	readonly source: { readonly by: "person" | "model"; readonly session?: string };
}

export interface Remembered {
	/** The new fact, or the existing one with the same content. */
	readonly fact: Fact;
	readonly isNew: boolean;
	readonly contradicts: readonly Fact[];
}

export interface RecallQuery {
	readonly query: string;
	/** Facts of this session and its turns count too. */
	readonly session?: string;
	readonly workspace: string;
	readonly limit?: number;
}

/** Something from earlier that has to do with a question: a fact, or a turn of a session. */
export interface Recollection {
	readonly kind: "fact" | "turn";
	readonly text: string;
	readonly at: number;
	readonly score: number;
	readonly session?: { readonly id: string; readonly title: string; readonly turn: number };
	readonly fact?: Fact;
}

/** Facts remembered across turns and sessions. Every method rejects with a `Failure` that the user can act on. */
export interface Memory {
	remember(fact: NewFact, signal: AbortSignal): Promise<Remembered>;
	/** Best first; only what the door may see now that it was said of. */
	recall(query: AtDoor<RecallQuery>, signal: AbortSignal): Promise<readonly Recollection[]>;
	/** Every fact that holds in this workspace and for the user, newest first; with `session`, its own too. */
	facts(
		where: { readonly workspace: string; readonly session?: string },
		signal: AbortSignal,
	): Promise<readonly Fact[]>;
	edit(id: string, text: string, signal: AbortSignal): Promise<Fact>;
	forget(id: string, signal: AbortSignal): Promise<void>;
}
