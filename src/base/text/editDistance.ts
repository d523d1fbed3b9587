/** Fewest insertions, deletions, replacements and swaps of neighbors (Damerau; optimal string alignment). */
export function editDistance(a: string, b: string): number {
	const [first, second] = [[...a], [...b]];
	let [before, row]: number[][] = [[], Array.from({ length: second.length + 1 }, (_, at) => at)];
	for (const [i, letter] of first.entries()) {
		const at = (values: number[] | undefined, j: number) => values?.[j] ?? Number.POSITIVE_INFINITY;
		const next = [i + 1];
		for (const [j, other] of second.entries()) {
			const isExchanged = letter === second[j - 1] && other === first[i - 1];
			const replaced = at(row, j) + Number(letter !== other);
			const exchanged = isExchanged ? at(before, j - 1) + 1 : Number.POSITIVE_INFINITY;
			next.push(Math.min(at(next, j) + 1, at(row, j + 1) + 1, replaced, exchanged));
		}
		[before, row] = [row, next];
	}
	return row?.at(-1) ?? 0;
}
