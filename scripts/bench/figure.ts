/** Three figures that mean something. */
export function figure(value: number): string {
	return value >= 100 ? `${Math.round(value)}` : `${Number(value.toPrecision(2))}`;
}
