import type { Quantity } from "./quantities.ts";
import type { Unit } from "./units.ts";

/** Relative tolerance of a conversion of a number with at most two digits. */
const CONVERSION = 0.05;
/** Relative tolerance of a conversion of a number with more than two digits. */
const EXACT_CONVERSION = 0.015;
/** Relative tolerance of numbers like “about 40”. */
const ROUGHLY = 0.15;
const POUND: Unit = { dimension: "mass", factor: 453.592 };
const CENTS_OF = new Set(["euros", "dollars"]);
/** “Bake at 180°” may be °C or °F. */
const DEGREES = new Set(["angle", "temperature"]);

/** Converts a number to another unit: times `ratio`, plus `shift`. */
export interface Conversion {
	readonly ratio: number;
	readonly shift: number;
}

const SAME: Conversion = { ratio: 1, shift: 0 };

/** Converts numbers from unit `told` to `unit`; `undefined` if the dimensions differ. */
export function conversionOf(unit: Unit | undefined, told: Unit | undefined): Conversion | undefined {
	if (!unit || !told || unit === told || areDegrees(unit, told)) return SAME;
	// Pounds may be money or mass.
	const own = unit.dimension === "pounds" && told.dimension === "mass" ? POUND : unit;
	if (own.dimension !== told.dimension && !areMoney(own, told)) return undefined;
	const factor = own.factor ?? 1;
	return { ratio: (told.factor ?? 1) / factor, shift: ((told.offset ?? 0) - (own.offset ?? 0)) / factor };
}

function areDegrees(...units: Unit[]): boolean {
	return units[0]?.dimension !== units[1]?.dimension && units.every((one) => DEGREES.has(one.dimension));
}

function areMoney(...units: Unit[]): boolean {
	return units.some((one) => one.dimension === "cents") && units.some((one) => CENTS_OF.has(one.dimension));
}

/** Whether one unit is a multiple of the other: meters and kilometers, but not meters and feet. */
export function isExact({ ratio }: Conversion): boolean {
	return [ratio, 1 / ratio].some((one) => Math.abs(one - Math.round(one)) < 1e-9 * one);
}

export interface Compared extends Pick<Quantity, "step" | "isRough"> {
	readonly value: number;
	readonly isConverted: boolean;
}

export function isNear({ value, step, isRough, isConverted }: Compared, told: number): boolean {
	const distance = Math.abs(value - told);
	if (distance < 1e-9 * Math.max(1, told)) return true;
	// Skip counting digits, which is slow, for distant numbers.
	if (distance > Math.max(ROUGHLY * told, step)) return false;
	const exactly = digitsOf(value) > 2 ? EXACT_CONVERSION : CONVERSION;
	if (isConverted) return distance <= (isRough ? ROUGHLY : exactly) * told;
	// “About 4000” may be a rounded 4413. “Under 4431” has as many digits as 4413, so it is not rounded.
	if (isRough && digitsOf(value) < digitsOf(told)) return distance <= ROUGHLY * told;
	// The number may be rounded if the source is more exact than the sentence.
	const isFiner = Math.abs(told / step - Math.round(told / step)) > 1e-9;
	return isFiner && value >= 10 * step && distance <= step / 2;
}

function digitsOf(value: number): number {
	return value
		.toPrecision(12)
		.replace(/e.*/, "")
		.replace(".", "")
		.replace(/^0+|0+$/g, "").length;
}
