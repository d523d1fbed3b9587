import { testListings } from "./listingIn.ts";

const FILES = {
	"events.csv": `name,date,place,host
Jazz night,2025-06-14,Town Hall,Ada Berg
Flea market,2025-06-15,Market Square,Otto Lind
Choir evening,2025-06-14,Church,Mia Falk
Book fair,2024-06-14,Library,Otto Lind
Summer camp,2025-06,Lake,Ada Berg
`,
	"talks.csv":
		"talk,date,deadline,status\nFog,2025-06-14,2025-05-01,open\nTides,2025-06-20,2025-05-01,closed\n",
	"rooms.csv": "room,beds,floor,view\n101,2,1,garden\n102,1,1,street\n201,2,2,garden\n",
	"staff.csv": "name,reports to,likes\nTom,Ida,Pia\nUte,Ida,Tom\nIvo,Tom,Ute\n",
	"books.md":
		"# Books\n\n| Title | Year | Lent to |\n| --- | --- | --- |\n| Salt Roads | 1999 | Otto |\n| Nordlicht | 2011 | Mia |\n",
	"veranstaltungen.csv":
		"Name,Datum,Ort,Leitung\nJazznacht,14.06.2025,Rathaus,Ada Berg\nFlohmarkt,15.06.2025,Marktplatz,Otto Lind\nSommerlauf,01.07.2025,See,Ada Berg\n",
	"cars.yaml":
		"cars:\n  - plate: A1\n    km: 84000\n    kg: 900\n  - plate: A2\n    km: 152000\n    kg: 2100\n",
	"todo.md": "# To do\n\n- [x] book the hall\n- [ ] order chairs\n- [ ] call Ida\n",
	"chores.md": "# Chores\n\n- [x] sweep\n- [ ] mop\n",
	"expenses.csv": "date,payee,amount,paid\n2025-03-02,Lidl,54,yes\n2025-04-01,Aldi,61,no\n",
	"zimmer.csv": "Zimmer,Betten,Aussicht\n101,2,Garten\n102,1,Straße\n201,2,Garten\n",
};

testListings("questions list rows by dates, by numbers, and by the roles of people in columns", FILES, {
	"Which events are on 14 June?": "Book fair, Choir evening, Jazz night",
	"Which events are on June 14th, 2025?": "Choir evening, Jazz night",
	"How many events are on the 15th of June?": "Flea market",
	"Which events are on 1 June?": "",
	"Which events are on 20 June?": "",
	"Which talks are on 1 May?": "",
	"Which talks have a deadline on 1 May?": "Fog, Tides",
	"Which talks are open?": "Fog",
	"Which events does Ada Berg host?": "Jazz night, Summer camp",
	"Which rooms have 2 beds?": "room 101, room 201",
	"How many rooms have two beds?": "room 101, room 201",
	"Which rooms have a garden view?": "room 101, room 201",
	"Which books are lent to Otto?": "Salt Roads",
	"Which books are from 2011?": "Nordlicht",
	// Unclear: Ida is in no row, so her role is unknown.
	"Which staff does Ida report to?": "",
	"Which staff does Pia like?": "",
	"Whom does Pia like?": "",
	"Who likes Pia?": "Tom",
	"Who is liked by Tom?": "Pia",
	"Which cars have more than 100,000 km?": "A2",
	"Which cars weigh more than 1 t?": "A2",
	"Which car has the most km?": "A2",
	"What is still open on the to-do list?": "call Ida, order chairs",
	"What do I still have to do?": "call Ida, order chairs",
	"Which tasks are done?": "book the hall, sweep",
	"How many tasks are still open?": "call Ida, mop, order chairs",
	"How many chores have been done?": "sweep",
	"Which chores are not done yet?": "mop",
	"Which expenses are unpaid?": "Aldi",
	"Which expenses are not unpaid?": "Lidl",
	"Which expenses are done?": "",
	"Welche Aufgaben sind noch offen?": "call Ida, mop, order chairs",
	"Was ist noch zu tun?": "call Ida, order chairs",
	"Welche Veranstaltungen sind am 14. Juni?": "Jazznacht",
	"Welche Veranstaltungen finden am See statt?": "Sommerlauf",
	"Welche Veranstaltungen leitet Ada Berg?": "Jazznacht, Sommerlauf",
	"Wie viele Veranstaltungen finden im Juni statt?": "Flohmarkt, Jazznacht",
	"Wie viele Zimmer haben 2 Betten?": "Zimmer 101, Zimmer 201",
	"Welche Zimmer haben Aussicht auf den Garten?": "Zimmer 101, Zimmer 201",
});
