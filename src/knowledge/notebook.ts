import type { ParsedDocument, Problem } from "../core/document.ts";
import { cutCode } from "./code.ts";
import { fileName } from "./fileName.ts";
import type { Format, Source } from "./format.ts";
import { createLineIndex, type Line, only } from "./lines.ts";

export const notebook: Format = { id: "notebook", extensions: ["ipynb"], parse: parseNotebook };
