/** A typed array that can be grown. */
type Column = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

const GROWTH = 1.5;

/** The array itself where it has room for so many values, else a larger copy of it. */
export function withRoomFor<Kind extends Column>(array: Kind, length: number): Kind {
	if (length <= array.length) return array;
	const Constructor = array.constructor as new (length: number) => Kind;
	const larger = new Constructor(Math.ceil(Math.max(length, array.length * GROWTH, 1024)));
	larger.set(array);
	return larger;
}
