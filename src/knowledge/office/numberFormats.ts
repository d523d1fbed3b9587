import { walkXml } from "./xml.ts";

/** How the numbers of a workbook are meant. */
export interface NumberFormats {
	/** The code of a cell's format, by the number of its style. */
	readonly codes: readonly string[];
	/** Whether days are counted from 1904. */
	readonly isFrom1904: boolean;
}

/** Formats that need no code, as far as they change what a number says. */
const BUILT_IN: ReadonlyMap<number, string> = new Map([
	[1, "0"],
	[2, "0.00"],
	[3, "#,##0"],
	[4, "#,##0.00"],
	[9, "0%"],
	[10, "0.00%"],
	...[14, 15, 16, 17, 27, 30, 36, 50, 57].map((id): [number, string] => [id, "yyyy-mm-dd"]),
	...[18, 19, 20, 21, 45, 46, 47].map((id): [number, string] => [id, "hh:mm:ss"]),
	[22, "yyyy-mm-dd hh:mm"],
	[37, "#,##0"],
	[38, "#,##0"],
	[39, "#,##0.00"],
	[40, "#,##0.00"],
]);

const DAY_MS = 86_400_000;

export function readNumberFormats(styles: string, workbook: string): NumberFormats {
	const own = new Map<number, string>();
	const codes: string[] = [];
	let isUsed = false;
	walkXml(styles, {
		open: (name, attribute) => {
			if (name === "numFmt") own.set(Number(attribute("numFmtId")), attribute("formatCode") ?? "");
			if (name === "cellXfs") isUsed = true;
			if (name !== "xf" || !isUsed) return;
			const id = Number(attribute("numFmtId") ?? 0);
			codes.push(own.get(id) ?? BUILT_IN.get(id) ?? "");
		},
		close: (name) => {
			if (name === "cellXfs") isUsed = false;
		},
	});
	return { codes, isFrom1904: /date1904="(?:1|true)"/.test(workbook) };
}

/** A number as its reader sees it, as far as that can be told without the reader's language. */
export function cellText(value: string, style: number, { codes, isFrom1904 }: NumberFormats): string {
	const number = Number(value);
	if (value.trim() === "" || !Number.isFinite(number)) return value;
	const [first = ""] = (codes[style] ?? "").split(";");
	const quoted = first.match(/"[^"]*"/g)?.join("") ?? "";
	const code = first.replace(/"[^"]*"|\\.|\[(?!\$)[^\]]*\]|_./g, "");
	if (/[ymdhs]/i.test(code.replace(/\[\$[^\]]*\]|general/gi, ""))) return dateText(number, code, isFrom1904);
	if (code.includes("%")) return `${fixed(number * 100, code)}%`;
	const currency = /\[\$([^\]-]+)[^\]]*\]/.exec(code)?.[1] ?? /[$€£¥]/.exec(code + quoted)?.[0] ?? "";
	return currency + fixed(number, code);
}

/** With as many digits as the format says, and its commas; other numbers as they are, without the noise of binary fractions. */
function fixed(number: number, code: string): string {
	const digits = /0\.(0+)/.exec(code)?.[1]?.length ?? (/(?:^|[#,\]$€£¥])0(?!\.)/.test(code) ? 0 : undefined);
	if (digits === undefined) return String(Number(number.toPrecision(15)));
	const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
	return number.toLocaleString("en", { ...options, useGrouping: code.includes(",") });
}

function dateText(days: number, code: string, isFrom1904: boolean): string {
	// Excel believes that there was a February 29 in 1900.
	const epoch = isFrom1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
	const date = new Date(epoch + Math.round(days * DAY_MS));
	if (Number.isNaN(date.getTime())) return String(days);
	const iso = date.toISOString();
	const hasDay = /[yd]/i.test(code);
	const hasTime = /[hs]/i.test(code);
	if (hasDay) return hasTime ? `${iso.slice(0, 10)} ${iso.slice(11, 16)}` : iso.slice(0, 10);
	return hasTime ? iso.slice(11, 19) : iso.slice(0, 7);
}
