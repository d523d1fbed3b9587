import { spawnSync } from "node:child_process";
import { root } from "./paths.ts";

/** `npm run test:unit`: the files that are named, or all. Without a pattern Node takes whatever is in `test` for a test. */
const given = process.argv.slice(2);
const files = given.some((word) => !word.startsWith("-")) ? [] : ["test/**/*.test.ts"];
const runner = ["--import", "./test/support/tsxHook.ts", "--test", ...given, ...files];
process.exitCode = spawnSync(process.execPath, runner, { cwd: root, stdio: "inherit" }).status ?? 1;
