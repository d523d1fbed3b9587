import * as z from "zod/mini";

const text = z._default(z.string().check(z.trim()), "");
const texts = z._default(z.array(z.string()), []);
const off = z._default(z.boolean(), false);
const on = z._default(z.boolean(), true);

const embeddingOptions = z.object({
	folder: text,
	endpoint: text,
	model: text,
	dimensions: z._default(z.nullable(z.int().check(z.gte(1), z.lte(16_384))), null),
	batchSize: z._default(z.int().check(z.gte(1), z.lte(2048)), 64),
	// A space at the end is significant.
	queryPrefix: z._default(z.string(), ""),
	passagePrefix: z._default(z.string(), ""),
});

/** Any further field is an option of the object store, named as in LanceDB. */
const storageOptions = z.catchall(
	z.object({ readOnly: off, memory: z._default(z.int().check(z.gte(0)), 1024) }),
	z.string(),
);

const chainLimits = z.object({
	stepTimeout: z._default(z.int().check(z.gte(1), z.lte(86_400)), 300),
	maxMinutes: z._default(z.int().check(z.gte(1), z.lte(1440)), 60),
	maxTokens: z._default(z.int().check(z.gte(1000)), 2_000_000),
	maxDepth: z._default(z.int().check(z.gte(0), z.lte(5)), 1),
	concurrency: z._default(z.int().check(z.gte(1), z.lte(16)), 3),
	answerTimeout: z._default(z.int().check(z.gte(1), z.lte(86_400)), 300),
	answerTokens: z._default(z.int().check(z.gte(64), z.lte(1_000_000)), 4096),
});

/** Makes an object optional. All members of the object must have defaults. */
function withDefaults<Schema extends z.ZodMiniType>(schema: Schema) {
	return z._default(schema, () => z.parse(schema, {}) as never);
}

/** The settings `copilot-LD.*`. A test compares them with the manifest. */
export const settings = z.object({
	/** Absolute paths of folders outside the workspace. */
	folders: texts,
	"index.agentInstructions": off,
	"graph.endpoint": text,
	"graph.updateEndpoint": text,
	"embedding.provider": z._default(z.enum(["built-in", "local", "openai-compatible", "none"]), "built-in"),
	"embedding.options": withDefaults(embeddingOptions),
	"storage.uri": text,
	"storage.options": withDefaults(storageOptions),
	"agent.maxRounds": z._default(z.int().check(z.gte(1), z.lte(50)), 10),
	"agent.summarizeLongChats": on,
	"agent.instructionFiles": z._default(z.array(z.string()), [".github/instructions"]),
	"agents.engine": z._default(z.enum(["auto", "cli", "model"]), "auto"),
	"agents.limits": withDefaults(chainLimits),
	/** Each rule is parsed separately elsewhere, so that an invalid rule does not affect the others. */
	"permissions.rules": z._default(z.array(z.unknown()), []),
	"diagnostics.enabled": off,
	"editor.referenceCounts": on,
	"editor.labels": off,
	"telemetry.otlp": withDefaults(z.object({ endpoint: text, contents: off })),
	"sessions.useGitHubAccount": off,
	"sessions.keepMcp": on,
	"cli.path": text,
	"cli.server": text,
	"cli.startAhead": on,
	/** Idle minutes after which the CLI is stopped; 0 for never. */
	"cli.idleMinutes": z._default(z.number().check(z.gte(0)), 10),
});

export type Settings = z.infer<typeof settings>;
