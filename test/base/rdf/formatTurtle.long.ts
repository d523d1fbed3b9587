import { test } from "node:test";
import { checkFormat } from "./formattedFiles.ts";

const SEED = Number(process.env["COPILOT_LD_SEED"] ?? Date.now() % 1_000_000) + 1;

test("10,000 generated files mean the same after they are formatted, and a second run changes nothing", async () => {
	await checkFormat(10_000, SEED);
});
