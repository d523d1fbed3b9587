import type { Listing } from "../../src/core/knowledge/knowledge.ts";
import { type Texts, testListings } from "./listingIn.ts";

const sumOf = ({ kind, added, total }: Partial<Listing> = {}) =>
	added ? `${kind} of ${added.name} ${added.value} of ${total}` : (kind ?? "-");

/** Tests which questions about these files get a sum or mean of how many numbers; `-` without a listing. */
function testSums(what: string, files: Texts, expected: Texts): void {
	testListings(
		`questions about ${what} get a sum or mean only of numbers that add up`,
		files,
		expected,
		sumOf,
	);
}

const HOUSEHOLD = {
	"expenses.csv": `date,category,shop,amount_eur,paid_by
2024-05-02,groceries,Lidl,45.20,Ida
2024-05-09,groceries,Rewe,31.10,Tom
2024-05-11,fuel,Aral,60.00,Tom
2024-06-01,groceries,Lidl,22.00,Ida
2024-06-15,rent,Hausverwaltung,820.00,Ida
`,
	"egg log.csv": "Date,Eggs\n2024-05-01,12\n2024-05-02,9\n",
	"members.csv": "Year,Members\n2023,45\n2024,52\n",
	"rooms.csv": "Room,Beds,Price per night\nOak,2,80 EUR\nElm,3,95 EUR\n",
	"fuel.csv": "Datum;Fahrzeug;Kilometerstand\n04.01.2025;LF 10;18230\n02.02.2025;LF 10;18555\n",
	"invoices.csv": "invoice,supplier,amount,paid\nA-1,Nord,€120,yes\nA-2,Nord,€80,no\n",
	"samples.md": "# Samples\n\n| Sample | Weight kg |\n| --- | --- |\n| a | 1.234 |\n| b | 2.345 |\n",
};

testSums("a household", HOUSEHOLD, {
	"How much did we spend on groceries in May?": "sum of amount_eur 76.30 of 2",
	"How much did we spend at Rewe?": "value",
	"Wie viel hat Ida bezahlt?": "sum of amount_eur 887.20 of 3",
	"How much did we earn on groceries per month?": "-",
	"How many eggs did we get in May?": "sum of Eggs 21 of 2",
	"How many eggs did we sell in May?": "-",
	"How many members do we have?": "-",
	"How many members did we have?": "-",
	"How many beds do we have?": "sum of Beds 5 of 2",
	"What is the average price per night?": "mean of Price per night 87.5 EUR of 2",
	"What is the total price per night?": "-",
	"Wie viele Kilometer ist der LF 10 gefahren?": "-",
	"How much did we pay Nord?": "-",
	"What is the total amount of all invoices?": "sum of amount €200 of 2",
	"What is the total weight?": "-",
});

const SHOP = {
	"trips.csv": `Trip,Date,Distance,Cost,Travellers
Harz hike,3 May 2024,120 km,€80,3
Coast week,10 June 2024,640 km,"€1,410.50",4
City visit,1 July 2024,75 km,€39,2
`,
	"orders.csv": `order,customer,item,qty,unit_price,total,status
1001,Meyer GmbH,Lamp,3,20.00,60.00,paid
1002,Schmidt AG,Chair,2,45.50,91.00,open
1003,Meyer GmbH,Table,1,210.00,210.00,open
`,
	"hours.csv":
		"day,person,project,hours\nMon 3 June 2024,Ida,Alpha,3.5\nMon 3 June 2024,Tom,Beta,6\nTue 4 June 2024,Ida,Beta,4\n",
	"club.md": "# Club\n\n| Year | Members |\n| --- | --- |\n| 2023 | 45 |\n| 2024 | 52 |\n",
};

testSums("a shop", SHOP, {
	"What is the total cost of all trips?": "sum of Cost €1,529.50 of 3",
	"What is the average cost of a trip?": "mean of Cost €509.83 of 3",
	"How many kilometres did we travel in total?": "sum of Distance 835 km of 3",
	"How much does the Harz hike cost?": "value",
	"Which trip was the longest?": "extreme",
	"Wie hoch sind die Gesamtkosten?": "sum of Cost €1,529.50 of 3",
	"What is the total of all open orders?": "sum of total 301.00 of 2",
	"How many lamps were ordered in total?": "-",
	"What is the total price for 4 lamps?": "-",
	"How many hours did Ida work?": "sum of hours 7.5 of 2",
	"How many hours on 4 June?": "-",
	"How many members were in the club?": "-",
	"How many members in total?": "-",
});

const CAFE = {
	"shifts.csv": "Name,Shift,Hours,Tips\nLena,early,6,12.50\nOmar,late,7.5,31.00\nLena,late,7,28.20\n",
	"kasse.csv": `Datum;Posten;Einnahme;Ausgabe
03.05.2024;Kuchenverkauf;84,50 €;
07.05.2024;Getränke;;41,20 €
10.06.2024;Grillkohle;;1.028,80 €
Summe;;84,50 €;1.070,00 €
`,
	"donors.csv": `Donor,Amount (EUR),Date,Purpose,Country
Alma Reyes,250,2024-11-03,roof,Spain
Piet Janssen,1200,2024-12-01,roof,Netherlands
Alma Reyes,75.50,2025-01-15,choir,Spain
`,
};

testSums("a cafe", CAFE, {
	"How many hours did Lena work in the late shift?": "value",
	"How many tips did Omar get?": "value",
	"Wie hoch sind die Ausgaben insgesamt?": "sum of Ausgabe 1.070,00 € of 2",
	"Wie viel haben wir im Mai ausgegeben?": "-",
	"How much did Alma Reyes donate?": "sum of Amount (EUR) 325.50 of 2",
	"How much was given for the roof?": "sum of Amount (EUR) 1450 of 2",
	"How many donors are there?": "count",
	"What does the roof mean?": "-",
});

const WORKSHOP = {
	"kosten.md": "# Kosten\n\n| Posten | Betrag |\n| --- | --- |\n| Miete | 1.200 € |\n| Strom | 2.500 € |\n",
	"tools.md": "# Tools\n\n| Tool | Price |\n| --- | --- |\n| Spade | £28 |\n| Rake | £19.50 |\n",
	"subscriptions.csv": "name,cost,per\nStreamo,12.99 EUR,month\nCloudy,99 EUR,year\n",
	"partly.csv": "invoice,supplier,amount,paid\nA-1,Nord,€120,yes\nA-2,Nord,€80,\n",
	"tours.md": "# Tours\n\n| Tour | Time |\n| --- | --- |\n| A | 1 h 10 min |\n| B | 1 h 10 min |\n",
	"stock.md":
		"# Stock\n\n| Item | Weight |\n| --- | --- |\n| Bolts | 2.5 kg |\n| Nuts | 800 g |\n| Rope | unknown |\n",
};

testSums("a workshop", WORKSHOP, {
	"Wie hoch sind die Gesamtkosten?": "sum of Betrag 3.700 € of 2",
	"How much did the tools cost?": "sum of Price £47.50 of 2",
	"What did the spade cost?": "value",
	"How much do the tools cost?": "-",
	"How much do we pay for subscriptions?": "-",
	"How much did we pay Nord?": "-",
	"What is the total time?": "-",
	"What is the total weight?": "-",
});
