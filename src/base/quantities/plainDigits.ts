/** Replaces the decimal digits of every script by ASCII digits. */
export function plainDigits(text: string): string {
	return text
		.replaceAll("º", "°")
		.replace(/(?![0-9])\p{Nd}/gu, (digit) => String(digitOf(digit.codePointAt(0) ?? 0)));
}

/** Value of a digit. Unicode lists the digits of each script in a row from 0; some rows are adjacent. */
function digitOf(digit: number): number {
	let before = 0;
	while (/^\p{Nd}$/u.test(String.fromCodePoint(digit - before - 1))) before++;
	return before % 10;
}
