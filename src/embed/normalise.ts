/** Gives a vector the length 1, in place; zeros stay zeros. */
export function normalise(vector: Float32Array): void {
	let squares = 0;
	for (const value of vector) squares += value * value;
	const length = Math.sqrt(squares) || 1;
	for (let d = 0; d < vector.length; d++) vector[d] = (vector[d] ?? 0) / length;
}
