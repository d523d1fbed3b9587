import * as z from "zod";
import { readLocatedYaml } from "../../base/yaml/locatedYaml.ts";
import type { Chain, ChainStep, Condition, Stage } from "../../core/agent/chain.ts";
import { stepsNamedIn } from "../run/stepPrompt.ts";
import { stepIdOf } from "./chainText.ts";

/** Path of the folder for saved chains, relative to a workspace folder. */
export const CHAINS_FOLDER = ".copilot-ld/chains";
const LONGEST_FILE = 64_000;

const name = z
	.string()
	.max(100)
	.regex(/^[A-Za-z0-9-]+$/, "Only letters, digits, and hyphens.");
const agent = z.string().min(1).max(100).describe("The name of an agent, or its short name.");
const words = z.string().min(1).max(1_000);

const condition = z
	.union([
		z.strictObject({ step: words, is: z.enum(["succeeded", "failed", "skipped"]) }),
		z.strictObject({ step: words, contains: words }),
		z.strictObject({ step: words, lacks: words }),
	])
	.describe("A condition on the result of an earlier step.");

const step = z.union([
	agent,
	z.strictObject({
		agent,
		id: name
			.optional()
			.describe("The id by which conditions name this step; by default, the agent's short name."),
		prompt: z
			.string()
			.max(8_000)
			.optional()
			.describe(
				"The prompt of the step. {{task}} is replaced by the chain's task, {{step.id}} by the answer of an earlier step.",
			),
		tools: z
			.array(z.string().max(200))
			.max(100)
			.optional()
			.describe("The tools that the step may use. They can only narrow what the agent's file allows."),
		when: condition.optional().describe("The step is skipped unless this condition holds."),
		timeout: z.int().min(1).max(86_400).optional().describe("The time limit for one attempt, in seconds."),
	}),
]);

const chainFile = z
	.strictObject({
		description: z.string().max(1_000).optional().describe("What the chain is good for."),
		onFailure: z
			.enum(["continue", "stop"])
			.optional()
			.describe("Whether later steps run after a step has failed; by default, they do."),
		stages: z
			.array(
				z.strictObject({
					steps: z.array(step).min(1).max(20).describe("Steps that run at the same time."),
					until: z
						.strictObject({
							condition,
							max: z.int().min(1).max(20).describe("The maximum number of times that the chain goes back."),
							from: words.optional().describe("A step of the stage to go back to; by default, this stage."),
						})
						.optional()
						.describe("The chain goes back until the condition holds after this stage."),
				}),
			)
			.min(1)
			.max(20)
			.describe("Stages that run one after the other."),
	})
	.describe("A chain of agents for Copilot-LD.");

/** A chain, or the problems of its file. Lines are counted from 1. */
export type ReadChain =
	| { readonly chain: Chain; readonly description?: string; readonly problems: readonly [] }
	| {
			readonly chain?: never;
			readonly problems: readonly { readonly line: number; readonly message: string }[];
	  };

export function chainFileSchema(): object {
	return z.toJSONSchema(chainFile, { io: "input", target: "draft-7" });
}

/** Reads a chain, which is named after its file. Reports problems instead of throwing. */
export function readChainFile(text: string, fileName: string): ReadChain {
	if (text.length > LONGEST_FILE)
		return { problems: [{ line: 1, message: `The file has more than ${LONGEST_FILE} characters.` }] };
	const { value, mistake, lineOf } = readLocatedYaml(text, { areWarningsFine: true });
	if (mistake) return { problems: [mistake] };
	const parsed = chainFile.safeParse(value);
	if (!parsed.success)
		return { problems: parsed.error.issues.map(({ path, message }) => ({ line: lineOf(path), message })) };
	const chain = toChain(parsed.data, fileName.replace(/\.ya?ml$/, ""));
	const problems = flawsOf(chain, parsed.data).map(({ path, message }) => ({ line: lineOf(path), message }));
	if (problems.length > 0) return { problems };
	const { description } = parsed.data;
	return { chain, ...(description !== undefined && { description }), problems: [] };
}

type Written = z.infer<typeof chainFile>;

function toChain({ stages, onFailure = "continue" }: Written, chainName: string): Chain {
	const steps = stages.map((stage) => stage.steps.map(toStep));
	return {
		name: chainName,
		onFailure,
		stages: stages.map(({ until }, index): Stage => {
			const own = steps[index] ?? [];
			if (!until) return { steps: own };
			const { condition: wanted, max, from } = until;
			const back = steps.findIndex((others) => others.some(({ id }) => id === from));
			return { steps: own, until: { condition: wanted, max, ...(back >= 0 && { from: back }) } };
		}),
	};
}

function toStep(written: z.infer<typeof step>): ChainStep {
	if (typeof written === "string") return { id: stepIdOf(written), agent: written };
	const { agent: named, id = stepIdOf(named), prompt, tools, when, timeout } = written;
	return {
		id,
		agent: named,
		...(prompt !== undefined && { prompt }),
		...(tools && { tools }),
		...(when && { when }),
		...(timeout !== undefined && { timeout: timeout * 1000 }),
	};
}

interface Flaw {
	readonly path: readonly PropertyKey[];
	readonly message: string;
}

function flawsOf({ stages }: Chain, written: Written): Flaw[] {
	const before = new Set<string>();
	return stages.flatMap(({ steps, until }, stage) => {
		const earlier = new Set(before);
		const flaws = steps.flatMap(({ id, when, prompt = "" }, index): Flaw[] => {
			const path = ["stages", stage, "steps", index];
			const isTaken = before.has(id);
			before.add(id);
			if (isTaken) return [{ path, message: `There are two steps “${id}”: give one of them an id.` }];
			const unknown = stepsNamedIn(prompt).filter((step) => !earlier.has(step));
			return [
				...(when && !earlier.has(when.step) ? [unknownStep([...path, "when"], when)] : []),
				...unknown.map((step) => ({
					path: [...path, "prompt"],
					message: `There is no earlier step “${step}”.`,
				})),
			];
		});
		const from = written.stages[stage]?.until?.from;
		const path = ["stages", stage, "until"];
		if (until && !before.has(until.condition.step))
			flaws.push(unknownStep([...path, "condition"], until.condition));
		if (from !== undefined && !before.has(from))
			flaws.push({ path: [...path, "from"], message: `There is no earlier step “${from}”.` });
		return flaws;
	});
}

function unknownStep(path: readonly PropertyKey[], wanted: Condition): Flaw {
	return { path, message: `There is no earlier step “${wanted.step}”, so the condition can never be met.` };
}
