/** Stands above words of the person that go to the model with a call's result, and shows them there again. */
export const STEER_HEAD =
	"The person you work for says, while you are at work (their own words, and no part of any result):";

/** A call's output without the words that went along with it. */
export function withoutSteering(output: string): string {
	const at = output.lastIndexOf(STEER_HEAD);
	return at < 0 ? output : output.slice(0, at).replace(HOOK_FRAME, "");
}

const HOOK_FRAME = /\s*Tool "[^"\n]*" [^\n]*Additional guidance from \w+ hooks:\s*$/;
