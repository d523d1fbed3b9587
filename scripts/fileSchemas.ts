import * as z from "zod";
import { fileSchema } from "../src/knowledgeTests/testFile.ts";
import { chainFileSchema } from "../src/orchestrator/plan/chainFile.ts";
import { pluginConfigSchema } from "../src/plugins/manifest/configFile.ts";
import { pluginFileSchema } from "../src/plugins/manifest/schema.ts";

/** JSON Schemas by path, with which editors check and complete users' files. */
export function fileSchemas(): Record<string, object> {
	return {
		"media/schemas/chain.schema.json": chainFileSchema(),
		"media/schemas/plugin.schema.json": pluginFileSchema(),
		"media/schemas/plugins.schema.json": pluginConfigSchema(),
		"media/schemas/tests.schema.json": z.toJSONSchema(fileSchema),
	};
}
