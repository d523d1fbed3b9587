import { startRawMcp } from "./rawMcp.ts";

// A client that asks once, says who serves it, and then lives on until it is killed.
const [root = "", dataFolder = ""] = process.argv.slice(2);
const mcp = startRawMcp({ root, dataFolder });
await mcp.introduce();
await mcp.search(2, "lamp");
process.send?.(mcp.child.pid);
