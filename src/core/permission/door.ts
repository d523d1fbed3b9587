export const DOORS = ["chat", "tools", "cli", "mcp"] as const;

export type Door = (typeof DOORS)[number];

/** What policies hid from each door at some time: rules as texts, the same for the same rule. */
export type RulesByDoor = Readonly<Record<Door, readonly string[]>>;

export function rulesByDoor(rulesOf: (door: Door) => readonly string[]): RulesByDoor {
	return Object.fromEntries(DOORS.map((door) => [door, rulesOf(door)])) as Record<Door, readonly string[]>;
}

/** A question with who asks it. */
export type AtDoor<Query> = Query & { readonly door: Door };
