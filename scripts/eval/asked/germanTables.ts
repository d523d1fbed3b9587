import { wordList } from "../../../src/base/words/wordList.ts";
import { dayOf, germanDateOf, type TableForm } from "./madeTables.ts";

const MEMBERS = wordList(
	"Anna_Reuter Bernd_Falk Clara_Jost Dirk_Oster Elke_Sommer Frank_Ruge Gerda_Pohl Heiko_Brandt Inge_Lorenz Jonas_Thiel",
).map((name) => name.replace("_", " "));

const euro = (value: number) => `${value.toLocaleString("de-DE")} €`;

export const GERMAN_TABLES: readonly TableForm[] = [
	{
		folder: "Markdown tables",
		title: "Mitglieder",
		one: "Welches Mitglied",
		many: "Mitglieder",
		language: "de",
		key: "Name",
		names: MEMBERS,
		columns: [
			{
				name: "Ort",
				kind: "text",
				is: ["haben den Ort {v}", "wohnen in {v}"],
				not: "haben nicht den Ort {v}",
				values: ["Celle", "Uelzen", "Soltau"],
			},
			{
				name: "Beitrag",
				kind: "amount",
				more: ["haben einen Beitrag über {v}", "zahlen mehr als {v} Beitrag"],
				less: ["haben einen Beitrag unter {v}"],
				least: "haben einen Beitrag von mindestens {v}",
				most: "den höchsten Beitrag",
				fewest: "den niedrigsten Beitrag",
				than: ["teurer", "billiger"],
				from: 20,
				to: 190,
				write: euro,
			},
			{
				name: "Bezahlt",
				kind: "flag",
				is: ["haben bezahlt"],
				not: "haben nicht bezahlt",
				values: ["ja", "nein"],
			},
		],
	},
	{
		folder: "Markdown tables",
		title: "Rechnungen",
		one: "Welche Rechnung",
		many: "Rechnungen",
		language: "de",
		key: "Rechnung",
		names: Array.from({ length: 18 }, (_, index) => `R-${2301 + index}`),
		columns: [
			{
				name: "Betrag",
				kind: "amount",
				more: ["haben einen Betrag über {v}"],
				less: ["haben einen Betrag unter {v}"],
				least: "haben einen Betrag von mindestens {v}",
				most: "den höchsten Betrag",
				fewest: "den niedrigsten Betrag",
				than: ["teurer", "billiger"],
				from: 90,
				to: 9900,
				write: euro,
			},
			{
				name: "Fällig am",
				kind: "date",
				more: ["sind nach dem {v} fällig"],
				less: ["sind vor dem {v} fällig"],
				least: "sind ab dem {v} fällig",
				most: "das späteste Datum",
				fewest: "das früheste Datum",
				than: ["später", "früher"],
				from: dayOf("2024-01-05"),
				to: dayOf("2024-12-20"),
				write: germanDateOf,
			},
			{
				name: "Status",
				kind: "text",
				is: ["haben den Status {v}", "sind {v}"],
				not: "sind nicht {v}",
				values: ["offen", "bezahlt", "gemahnt"],
			},
		],
		link: { column: "Kunde", table: "Mitglieder", other: "Ort", ask: ["gehen an Mitglieder in {v}"] },
	},
];
