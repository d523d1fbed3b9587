import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "../../scripts/bench/random.ts";
import { quantize, unitOf } from "../../src/search/vectorCodes.ts";

const random = createRandom(11);

/** About as often within one as random numbers of a normal distribution. */
function normal(): number {
	return Array.from({ length: 12 }, random).reduce((sum, value) => sum + value, -6);
}

function cosine(a: Float32Array, b: Float32Array): number {
	const product = a.reduce((sum, value, d) => sum + value * (b[d] ?? 0), 0);
	return product / Math.hypot(...a) / Math.hypot(...b);
}

const SHAPES: Readonly<Record<string, (dimension: number) => number>> = {
	"numbers of one range": normal,
	"numbers most of which are zero": () => (random() < 0.05 ? normal() : 0),
	"numbers of a range of ten thousand": () => normal() * 10 ** (4 * random() - 2),
	"one number that is twenty times the others": (dimension) => (dimension === 7 ? 20 : normal()),
};

for (const [shape, numberAt] of Object.entries(SHAPES))
	for (const dimensions of [384, 768, 1536])
		test(`${dimensions} ${shape} keep their direction in 8 bits`, () => {
			for (let times = 0; times < 20; times++) {
				const vector = Float32Array.from({ length: dimensions }, (_, dimension) => numberAt(dimension));
				const codes = new Int8Array(dimensions);
				quantize(vector, codes);
				assert.ok(cosine(vector, unitOf(codes)) >= 0.999);
			}
		});
