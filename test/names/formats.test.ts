import { test } from "node:test";
import { makeFolder } from "../support/folder.ts";
import { checkNames } from "./namedFiles.ts";

test("every name in files of eight formats is found at its position and can be renamed, but none in comments", async (t) => {
	await checkNames(await makeFolder(t), 3000, 1);
});
