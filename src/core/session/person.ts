/** Who a session or a fact belongs to. */
export interface Person {
	/** What gave the id: "github", or "system" for a user of the operating system. Other versions may know others. */
	readonly source: string;
	readonly id: string;
	readonly label: string;
}

/** A person by all their names; new data carries the first. Data with any of them, or with none, is theirs. */
export type Reader = readonly [Person, ...Person[]];

export function belongsTo(reader: Reader, person: Person | undefined): boolean {
	return (
		person === undefined || reader.some((name) => name.source === person.source && name.id === person.id)
	);
}
