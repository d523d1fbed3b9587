import { wordList } from "../../../src/base/words/wordList.ts";
import { dayOf, isoOf, type TableForm } from "./madeTables.ts";
import { PRICE } from "./prices.ts";

const SUPPLIERS = [
	"Norden Metal",
	"Bright Tools",
	"Castor Works",
	"Delta Supply",
	"Elm Trading",
	"Fjord Parts",
];

const PARTS = wordList(
	"Gear_pump Ball_valve Drive_belt Oil_filter Steel_bracket Hex_bolt Roller_chain Spring_washer Bearing_block Fan_blade Copper_gasket Guide_rail Motor_mount Torque_arm Cable_gland",
).map((name) => name.replace("_", " "));

const BOOKS = [
	"The Salt Road",
	"Winter Harbor",
	"A Map of Rain",
	"Nine Lanterns",
	"The Glass Orchard",
	"Low Tide",
	"Paper Birds",
	"The Last Ferry",
	"Stone Bread",
	"Quiet Engines",
	"The Iron Garden",
	"Letters from Ribe",
];

export const JSON_LISTS: readonly TableForm[] = [
	{
		folder: "JSON lists",
		title: "suppliers",
		one: "supplier",
		many: "suppliers",
		language: "en",
		key: "name",
		names: SUPPLIERS,
		columns: [
			{
				name: "country",
				kind: "text",
				is: ["are in {v}", "have the country {v}"],
				not: "are not in {v}",
				values: ["Norway", "Poland"],
			},
			{
				name: "isCertified",
				kind: "flag",
				is: ["are certified"],
				not: "are not certified",
				values: ["true", "false"],
			},
		],
	},
	{
		folder: "JSON lists",
		title: "parts",
		one: "part",
		many: "parts",
		language: "en",
		key: "name",
		names: PARTS,
		columns: [
			{
				name: "weightKg",
				kind: "amount",
				more: ["weigh more than {v}", "are heavier than {v}"],
				less: ["weigh less than {v}", "are lighter than {v}"],
				least: "weigh at least {v}",
				most: "heaviest",
				fewest: "lightest",
				than: ["heavier", "lighter"],
				from: 1,
				to: 90,
				write: String,
				say: (value) => `${value} kg`,
			},
			{ ...PRICE, name: "price", from: 2, to: 900 },
			{
				name: "material",
				kind: "text",
				is: ["have the material {v}", "are made of {v}"],
				not: "are not made of {v}",
				values: ["brass", "steel", "rubber"],
			},
			{
				name: "inStock",
				kind: "flag",
				is: ["are in stock"],
				not: "are not in stock",
				values: ["true", "false"],
			},
		],
		link: {
			column: "supplier",
			table: "suppliers",
			other: "country",
			ask: ["come from suppliers in {v}", "have a supplier in {v}"],
		},
	},
	{
		folder: "JSON lists",
		title: "books",
		one: "book",
		many: "books",
		language: "en",
		key: "title",
		names: BOOKS,
		columns: [
			{
				name: "author",
				kind: "text",
				is: ["are by {v}", "were written by {v}"],
				not: "are not by {v}",
				values: ["Ida Holm", "Ole Krag", "Tove Lind"],
			},
			{
				name: "pages",
				kind: "amount",
				more: ["have more than {v}"],
				less: ["have less than {v}", "have fewer than {v}"],
				least: "have at least {v}",
				most: "longest",
				fewest: "shortest",
				than: ["longer", "shorter"],
				from: 80,
				to: 720,
				write: String,
				say: (value) => `${value} pages`,
			},
			{
				name: "published",
				kind: "date",
				more: ["were published after {v}"],
				less: ["were published before {v}"],
				least: "were published since {v}",
				most: "newest",
				fewest: "oldest",
				than: ["newer", "older"],
				from: dayOf("1980-01-01"),
				to: dayOf("2024-01-01"),
				write: isoOf,
			},
		],
	},
];
