import type { AgentRequest } from "../../core/agent/agentEvent.ts";
import type { SteerFiles } from "./steerFiles.ts";

/** Takes what the person says to a turn of the CLI to its model. */
export interface SteeredTurn {
	/** A call has ended: words that lay ready may have gone along. */
	look(): void;
	/** The turn is over; what was not taken along is taken back, and is a message of its own. */
	end(isDone: boolean): Promise<void>;
}

export function steerTurn(
	session: string,
	{ steering }: Pick<AgentRequest, "steering">,
	files: SteerFiles | undefined,
): SteeredTurn {
	const heard = files?.canSteer() && steering ? steering.listen(() => void change(offerAgain)) : undefined;
	// Words of a turn whose editor was killed are no words for this one.
	let changing: Promise<unknown> = files?.takeBack(session) ?? Promise.resolve();
	/** How many of the words lie ready. */
	let offered = 0;
	const change = (step: () => Promise<void>) => {
		// Words that cannot be laid ready stay what they are: a message that waits.
		changing = changing.then(step).catch(() => undefined);
		return changing;
	};
	const takeBack = async (isDone = true) => {
		if (offered === 0 || !files) return;
		const wasThere = await files.takeBack(session);
		// In a turn that was cut short, nobody knows whether the model has read them.
		if (!wasThere && isDone) heard?.given(offered);
		offered = 0;
	};
	const offerAgain = async () => {
		await takeBack();
		const words = heard?.words() ?? [];
		if (words.length === 0) return;
		await files?.offer(session, words);
		offered = words.length;
	};
	return {
		look: () => void (offered > 0 && change(offerAgain)),
		end: async (isDone) => {
			await change(() => takeBack(isDone));
		},
	};
}
