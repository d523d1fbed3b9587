import * as z from "zod";

/** A `LineRange`, as programs get it. */
export const lines = z.object({
	start: z.number().describe("From 1."),
	end: z.number().describe("The last one, included."),
});
