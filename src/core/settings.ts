import * as z from "zod/mini";
import { SEARCHED_INDEXES } from "./knowledge/knowledge.ts";

const text = z._default(z.string(), "");
const texts = z._default(z.array(z.string()), []);
const off = z._default(z.boolean(), false);
const on = z._default(z.boolean(), true);

/** The settings `copilot-ld.*`. The manifest says them again for people; a test compares the two. */
export const settings = z.object({
	folders: texts,
	"search.index": z._default(z.enum(SEARCHED_INDEXES), "both"),
	"search.threshold": z._default(z.number().check(z.gte(0), z.lte(1)), 0),
	"search.maxTokens": z._default(z.int().check(z.gte(0)), 0),
	"index.agentInstructions": off,
	"graph.endpoint": text,
	"graph.updateEndpoint": text,
	"embedding.provider": z._default(z.enum(["built-in", "openai-compatible", "none"]), "built-in"),
	"embedding.endpoint": text,
	"embedding.model": text,
	"embedding.dimensions": z._default(z.nullable(z.int().check(z.gte(1), z.lte(16_384))), null),
	"embedding.batchSize": z._default(z.int().check(z.gte(1), z.lte(2048)), 64),
	"embedding.queryPrefix": text,
	"embedding.passagePrefix": text,
	"storage.uri": text,
	"storage.options": z._default(z.record(z.string(), z.string()), {}),
	"storage.readOnly": off,
	"storage.memory": z._default(z.int().check(z.gte(0)), 1024),
	"agent.maxRounds": z._default(z.int().check(z.gte(1), z.lte(50)), 10),
	"agent.summarizeLongChats": on,
	"agent.instructionFiles": texts,
	"agents.engine": z._default(z.enum(["auto", "cli", "model"]), "auto"),
	"agents.stepTimeout": z._default(z.int().check(z.gte(1), z.lte(86_400)), 300),
	"agents.maxMinutes": z._default(z.int().check(z.gte(1), z.lte(1440)), 60),
	"agents.maxTokens": z._default(z.int().check(z.gte(1000)), 2_000_000),
	"agents.maxDepth": z._default(z.int().check(z.gte(0), z.lte(5)), 1),
	"agents.concurrency": z._default(z.int().check(z.gte(1), z.lte(16)), 3),
	/** `permissions/managedRules` reads each on its own, so that a wrong one costs only itself. */
	"permissions.rules": z._default(z.array(z.unknown()), []),
	"diagnostics.enabled": off,
	"editor.referenceCounts": on,
	"editor.labels": off,
	"telemetry.otlpEndpoint": text,
	"telemetry.otlpContents": off,
	"sessions.useGitHubAccount": off,
	"sessions.keepMcp": on,
	"cli.path": text,
	"cli.server": text,
	"cli.startAhead": on,
	"cli.idleMinutes": z._default(z.number().check(z.gte(0)), 10),
});

export type Settings = z.infer<typeof settings>;
