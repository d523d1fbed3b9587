/** What decides the vectors of passages; the endpoint does not: the same model gives the same vectors elsewhere. */
export interface ModelChoice {
	readonly model: string;
	readonly dimensions?: number;
	readonly passagePrefix?: string;
}

const ID = /^openai-compatible\/(.+?)(?: (\d+)d)?(?: (".*"))?$/;

export function modelIdOf({ model, dimensions, passagePrefix }: ModelChoice): string {
	const length = dimensions === undefined ? "" : ` ${dimensions}d`;
	return `openai-compatible/${model}${length}${passagePrefix ? ` ${JSON.stringify(passagePrefix)}` : ""}`;
}

/** The counterpart of `modelIdOf`; `undefined` for the id of another kind of model. */
export function readModelId(id: string): ModelChoice | undefined {
	const [, model, dimensions, prefix] = ID.exec(id) ?? [];
	if (model === undefined) return undefined;
	return {
		model,
		...(dimensions !== undefined && { dimensions: Number(dimensions) }),
		...(prefix !== undefined && { passagePrefix: String(JSON.parse(prefix)) }),
	};
}
