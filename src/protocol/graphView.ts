import * as z from "zod/mini";
import type { FoundThing, Neighbourhood } from "../core/knowledge/graph.ts";

export const graphRequest = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("ready") }),
	/** Adds the neighbors of `iris` to the picture, which already shows the resources of `shown`. */
	z.object({ kind: z.literal("expand"), iris: z.array(z.string()), shown: z.array(z.string()) }),
	/** Shows the resources with the most links of the whole graph. */
	z.object({ kind: z.literal("overview") }),
	z.object({ kind: z.literal("search"), words: z.string() }),
	z.object({ kind: z.literal("path"), from: z.string(), to: z.string(), shown: z.array(z.string()) }),
	z.object({ kind: z.literal("open"), uri: z.string(), start: z.int(), end: z.int() }),
]);

export type GraphRequest = z.infer<typeof graphRequest>;

export type GraphUpdate =
	/** Replaces the picture; the resources of `focus` are in the middle. */
	| { readonly kind: "shown"; readonly picture: Neighbourhood; readonly focus: readonly string[] }
	| { readonly kind: "added"; readonly picture: Neighbourhood; readonly focus: readonly string[] }
	| { readonly kind: "path"; readonly picture: Neighbourhood; readonly way: readonly string[] }
	| { readonly kind: "found"; readonly words: string; readonly things: readonly FoundThing[] }
	| { readonly kind: "failed"; readonly message: string };
