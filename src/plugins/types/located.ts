/** A place in a file: names of entries and numbers of items. */
export type Place = readonly PropertyKey[];

export interface Report {
	error(place: Place, message: string): void;
	warning(place: Place, message: string): void;
}
