import * as z from "zod";

export const lines = z.object({
	start: z.number().describe("From 1; of a sheet, a row."),
	end: z.number().describe("The last one, included."),
	part: z.string().optional().describe("The page, slide or sheet that they are counted in: p12, s7, Sheet1."),
	columns: z.string().optional().describe("Of a sheet, as A:F."),
});
