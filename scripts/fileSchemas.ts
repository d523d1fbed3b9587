import * as z from "zod";
import { fileSchema } from "../src/knowledgeTests/schema.ts";
import { chainFileSchema } from "../src/orchestrator/plan/chainFile.ts";

/** The JSON Schemas that editors check and complete people's files by: path → schema. */
export function fileSchemas(): Record<string, object> {
	return {
		"media/schemas/chain.schema.json": chainFileSchema(),
		"media/schemas/tests.schema.json": z.toJSONSchema(fileSchema),
	};
}
