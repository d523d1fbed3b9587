export const LARGEST_CODE = 127;

/** Quantizes a vector: the largest number gets the largest code. Returns the value of one step; 0 for zeros. */
export function quantize(vector: Float32Array, codes: Int8Array | Int16Array, largestCode = LARGEST_CODE) {
	let largest = 0;
	for (const value of vector) largest = Math.max(largest, Math.abs(value));
	const step = largest / largestCode;
	if (step > 0) for (let d = 0; d < vector.length; d++) codes[d] = Math.round((vector[d] as number) / step);
	return step;
}

/** Factor that turns codes into a unit vector; 0 for zeros. Quantizing the unit vector gives the same codes. */
export function scaleOf(codes: Int8Array): number {
	let sum = 0;
	for (let d = 0; d < codes.length; d++) sum += (codes[d] as number) * (codes[d] as number);
	return sum > 0 ? 1 / Math.sqrt(sum) : 0;
}

/** The unit vector of the mean; zeros if the mean has no direction, empty without vectors. */
export function centreOf(vectors: readonly Float32Array[]): Float32Array {
	const centre = new Float32Array(vectors[0]?.length ?? 0);
	for (const vector of vectors)
		for (let d = 0; d < centre.length; d++) centre[d] = (centre[d] as number) + (vector[d] as number);
	const length = Math.hypot(...centre) || 1;
	return centre.map((value) => value / length);
}

/** The unit vector of codes, or zeros. Uses a loop, because `Float32Array.from` takes nine times as long. */
export function unitOf(codes: Int8Array): Float32Array {
	const scale = scaleOf(codes);
	const unit = new Float32Array(codes.length);
	for (let d = 0; d < codes.length; d++) unit[d] = (codes[d] as number) * scale;
	return unit;
}
