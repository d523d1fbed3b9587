import type { FromChannel, RulesByChannel } from "../permission/permission.ts";

export interface Person {
	/** Issuer of the id: "github", or "system" for an operating-system account. Other issuers are possible. */
	readonly source: string;
	readonly id: string;
	readonly label: string;
}

/** All identities of one person. New data gets the first identity. Data without a person belongs to every reader. */
export type Reader = readonly [Person, ...Person[]];

export function belongsTo(reader: Reader, person: Person | undefined): boolean {
	if (person === undefined) return true;
	return reader.some((name) => name.source === person.source && name.id === person.id);
}

export type FactScope = "session" | "workspace" | "user";

/** A remembered fact. Times are milliseconds since 1970. */
export interface Fact extends NewFact {
	readonly id: string;
	/** Owner of the fact; if omitted, the fact belongs to everyone who reads the folder. */
	readonly person?: Person;
	/** Policies when the fact was saved, added by the owner of the facts. */
	readonly rules?: RulesByChannel | undefined;
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
	/** The new fact, or the existing fact with the same content. */
	readonly fact: Fact;
	readonly isNew: boolean;
	readonly contradicts: readonly Fact[];
}

export interface RecallQuery {
	readonly query: string;
	/** If set, facts and turns of this session are searched, too. */
	readonly session?: string;
	readonly workspace: string;
	readonly limit?: number;
}

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
	/** Best first; includes only what the channel may see now. */
	recall(query: FromChannel<RecallQuery>, signal: AbortSignal): Promise<readonly Recollection[]>;
	/** Every fact of this workspace and of the user, and with `session` the session's own facts, newest first. */
	facts(
		where: { readonly workspace: string; readonly session?: string },
		signal: AbortSignal,
	): Promise<readonly Fact[]>;
	edit(id: string, text: string, signal: AbortSignal): Promise<Fact>;
	forget(id: string, signal: AbortSignal): Promise<void>;
}
