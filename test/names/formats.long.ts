import { test } from "node:test";
import { makeFolder } from "../support/folder.ts";
import { checkNames } from "./namedFiles.ts";

const SEED = Number(process.env["COPILOT_LD_SEED"] ?? Date.now() % 1_000_000) + 1;

test("every name in files with 200,000 statements in eight formats is found at its position and can be renamed", async (t) => {
	await checkNames(await makeFolder(t), 200_000, SEED);
});
