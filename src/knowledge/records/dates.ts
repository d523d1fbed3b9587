import { datesIn } from "../../base/quantities/dates.ts";
import { isDate } from "../resources/literals.ts";

/** The first date with a year of four digits in a heading or file name, as `2025-07-08`. */
export function dateIn(text: string): string | undefined {
	if (!/\d{4}/.test(text)) return undefined;
	const [iso] = /(?<!\d)\d{4}-\d\d-\d\d(?!\d)/.exec(text) ?? [];
	if (iso !== undefined) return isDate(iso) ? iso : undefined;
	const written = datesIn(text).filter((date) => /\d{4}/.test(date.written) && date.readings.length === 1);
	for (const {
		readings: [{ year, month, day } = {}],
	} of written) {
		const date = [year, month, day].map((part) => String(part ?? "").padStart(2, "0")).join("-");
		if (isDate(date)) return date;
	}
	return undefined;
}
