/** Rounds to two significant digits, or to an integer from 100 on. */
export function figure(value: number): string {
	return value >= 100 ? `${Math.round(value)}` : `${Number(value.toPrecision(2))}`;
}
