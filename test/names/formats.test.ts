import { test } from "node:test";
import { makeFolder } from "../support/folder.ts";
import { checkNames } from "./namedFiles.ts";

test("every name in eight formats is found at its position and can be renamed; comments have none", async (t) => {
	await checkNames(await makeFolder(t), 3000, 1);
});
