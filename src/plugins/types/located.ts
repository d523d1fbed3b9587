/** A path in a file: names of fields and indexes of items. */
export type Place = readonly PropertyKey[];

export interface Report {
	error(place: Place, message: string): void;
	warning(place: Place, message: string): void;
}
