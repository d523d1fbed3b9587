import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { compileKernels } from "../../scripts/compileKernels.ts";

test("the compiled kernels match their source, which `npm run kernels` compiles", async () => {
	assert.equal(readFileSync("src/base/kernels/compiled.ts", "utf8"), await compileKernels());
});
