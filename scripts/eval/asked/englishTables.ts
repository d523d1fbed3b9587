import { wordList } from "../../../src/base/words/wordList.ts";
import { dayOf, isoOf, type TableForm } from "./madeTables.ts";
import { PRICE } from "./prices.ts";

const PEOPLE = wordList(
	"Ida_Holm Ole_Krag Tove_Lind Nils_Dahl Mona_Berg Jens_Aker Liv_Strand Per_Skov Eva_Bakke Karl_Moen Siri_Vik Odd_Hauge",
).map((name) => name.replace("_", " "));

const BOATS = wordList(
	"Tern Curlew Gannet Puffin Skua Petrel Plover Dunlin Fulmar Kittiwake Osprey Heron Egret Bittern",
);

export const ENGLISH_TABLES: readonly TableForm[] = [
	{
		folder: "Markdown tables",
		title: "People",
		one: "person",
		many: "people",
		language: "en",
		key: "Name",
		names: PEOPLE,
		columns: [
			{
				name: "Town",
				kind: "text",
				is: ["live in {v}", "have the town {v}", "are from {v}"],
				not: "do not live in {v}",
				values: ["Ribe", "Bergen", "Odense", "Tromso"],
			},
			{
				name: "Role",
				kind: "text",
				is: ["have the role {v}", "are {v}s"],
				not: "do not have the role {v}",
				values: ["skipper", "carpenter", "treasurer", "cook"],
			},
			{
				name: "Date of birth",
				kind: "date",
				more: ["were born after {v}"],
				less: ["were born before {v}"],
				least: "were born since {v}",
				most: "youngest",
				fewest: "oldest",
				than: ["younger", "older"],
				from: dayOf("1950-01-01"),
				to: dayOf("2004-01-01"),
				write: isoOf,
			},
			{
				name: "Vegetarian",
				kind: "flag",
				is: ["are vegetarian"],
				not: "are not vegetarian",
				values: ["yes", "no"],
			},
		],
	},
	{
		folder: "Markdown tables",
		title: "Boats",
		one: "boat",
		many: "boats",
		language: "en",
		key: "Boat",
		names: BOATS,
		columns: [
			{
				name: "Builder",
				kind: "text",
				is: ["have the builder {v}", "were built by {v}"],
				not: "were not built by {v}",
				values: ["Alder Yard", "Holm & Sons", "Westhaven"],
			},
			{
				name: "Weight",
				kind: "amount",
				more: ["weigh more than {v}", "are heavier than {v}"],
				less: ["weigh less than {v}", "are lighter than {v}"],
				least: "weigh at least {v}",
				most: "heaviest",
				fewest: "lightest",
				than: ["heavier", "lighter"],
				from: 400,
				to: 3900,
				write: (value) => `${value} kg`,
			},
			{ ...PRICE, from: 2000, to: 48_000 },
			{
				name: "Launched",
				kind: "date",
				more: ["were launched after {v}"],
				less: ["were launched before {v}"],
				least: "were launched since {v}",
				most: "newest",
				fewest: "oldest",
				than: ["newer", "older"],
				from: dayOf("1998-01-01"),
				to: dayOf("2024-01-01"),
				write: isoOf,
			},
			{ name: "Insured", kind: "flag", is: ["are insured"], not: "are not insured", values: ["yes", "no"] },
		],
		link: {
			column: "Owner",
			table: "People",
			other: "Town",
			ask: ["belong to people in {v}", "have an owner from {v}"],
		},
	},
];
