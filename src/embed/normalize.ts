/** In place; zeros stay zeros. */
export function normalize(vector: Float32Array): void {
	let squares = 0;
	for (let d = 0; d < vector.length; d++) squares += (vector[d] as number) ** 2;
	const factor = 1 / (Math.sqrt(squares) || 1);
	for (let d = 0; d < vector.length; d++) vector[d] = (vector[d] as number) * factor;
}
