/** Fewest insertions, deletions, replacements and swaps of neighbors (Damerau; optimal string alignment). */
export function editDistance(a: string, b: string): number {
	const [first, second] = [[...a], [...b]];
	let before: number[] = [];
	let row = Array.from({ length: second.length + 1 }, (_, at) => at);
	for (let i = 0; i < first.length; i++) {
		const next = [i + 1];
		for (let j = 0; j < second.length; j++) {
			const replaced = (row[j] as number) + Number(first[i] !== second[j]);
			const isExchanged = i > 0 && j > 0 && first[i] === second[j - 1] && first[i - 1] === second[j];
			const exchanged = isExchanged ? (before[j - 1] as number) + 1 : replaced;
			next.push(Math.min((next[j] as number) + 1, (row[j + 1] as number) + 1, replaced, exchanged));
		}
		before = row;
		row = next;
	}
	return row.at(-1) ?? 0;
}
