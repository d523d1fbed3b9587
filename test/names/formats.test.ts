import { test } from "node:test";
import { makeFolder } from "../support/folder.ts";
import { checkNames } from "./namedFiles.ts";

test("every name in eight formats is found at its place and can be renamed, and none in comments, texts and code", async (t) => {
	await checkNames(await makeFolder(t), 3000, 1);
});
