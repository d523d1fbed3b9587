interface Want {
	readonly weight: number;
	readonly want: number;
}

/**
 * Divides an amount among those who want some of it by their weights; what one leaves over flows to the others
 * (weighted max-min fairness). Nobody gets more than they want, and nothing is left over while somebody wants more.
 */
export function flow(amount: number, wants: readonly Want[]): number[] {
	let left = Math.max(0, amount);
	let weights = wants.reduce((sum, { weight }) => sum + weight, 0);
	const given = wants.map(() => 0);
	// Who wants least for their weight is content first: what they leave is there when the others get theirs.
	const modestFirst = [...wants.entries()].sort(([, a], [, b]) => a.want / a.weight - b.want / b.weight);
	for (const [index, { weight, want }] of modestFirst) {
		const share = Math.floor(Math.min(want, (left * weight) / weights));
		given[index] = share;
		left -= share;
		weights -= weight;
	}
	return given;
}
