/** Lines of a source file: 1-based, both ends included. */
export interface LineRange {
	readonly start: number;
	readonly end: number;
}
