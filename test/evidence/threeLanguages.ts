export const LINES: Readonly<Record<string, string>> = {
	"bericht.md": `Der Leuchtturm auf der Insel Neuwerk wurde am 7. März 1814 zum ersten Mal angezündet.
Er ist 39,5 Meter hoch und hatte 1.250 Stufen, bevor Heinrich Voss ihn umbauen ließ.
Im Juni 2019 zählte die Verwaltung in Cuxhaven 3.400 Besucher, etwa 12 Prozent mehr als im Vorjahr.
Der letzte Wärter, Johann Petersen, ging 1978 in den Ruhestand.`,
	"rapport.md": `Le phare de Kerlouan a été allumé le 3 octobre 1867 par Yves Le Goff.
La tour mesure 52 mètres et sa portée est de 24 milles marins.
En février 2021, la commune a dépensé 1 800 000 euros pour la lanterne.
Le gardien, Marcel Quéméneur, habitait à Brignogan avec ses trois filles.`,
};

/** Written, with what is wrong, before they were first run; they are only counted. */
export const THREE_LANGUAGES = `
lights.html:105-127 | Hallin Point Light, first lit in 1902, has Lens No. 4 and is attended by Ewan Sallow.
lights.html:105-127 | Its range is 14 nm, close to 26 km.
lights.html:105-127 | Hallin Point Light was first lit in 1920. | x
lights.html:105-127 | The light is attended by Pia Holm. | x
vessels.html:19-36 | Petrel was built in 1996, is 34 m long and draws just over three metres.
vessels.html:19-36 | Her master is Bram Osterlund, and in December she carries the tree for Lamp Night.
vessels.html:19-36 | Petrel draws 1.3 metres. | x
handbook/fog-signals.md:20-24 | The signal starts once the board has been out of sight for six minutes.
handbook/fog-signals.md:20-24 | The detector looks for a board 3 miles away. | x
handbook/fog-signals.md:37-42 | The siren fell silent on 31 March 2004, after the third near miss.
handbook/fog-signals.md:37-42 | The siren was switched off in March 2003. | x
notices-2026.txt:12-15 | The sector covers bearings from 118° to 139°, and no longer ends at 133.
notices-2026.txt:25-27 | The survey found 2.2 m of water where charts show 3.5 m.
notices-2026.txt:25-27 | The survey found 3.2 m of water in the channel. | x
lights.html:105-127 | Das Feuer von Hallin Point wurde 1902 zum ersten Mal angezündet und steht 27 Meter über dem Wasser.
lights.html:105-127 | Der Wärter ist Ewan Sallow, und die Lampe heißt L20.
lights.html:105-127 | Der Turm hat einen Garten mit Mauer und zeigt über der Fahrrinne ein weißes Licht.
lights.html:105-127 | Der Wärter von Hallin Point ist Wick Darrow. | x
people.html:64-74 | Ewan Sallow wurde am 8. September 1988 auf Hallin geboren und hält im Garten Bienen.
people.html:64-74 | Ewan Sallow wurde am 18. September 1988 geboren. | x
bericht.md:1-4 | Der Leuchtturm wurde am 7. März 1814 angezündet und misst 39,5 m.
bericht.md:1-4 | Vor dem Umbau durch Heinrich Voss gab es über tausend Stufen, nämlich 1250.
bericht.md:1-4 | Die Verwaltung zählte im Juni 2019 insgesamt 3400 Besucher.
bericht.md:1-4 | Der letzte Wärter ging im Jahr 1978 in den Ruhestand und hieß Johann Petersen.
bericht.md:1-4 | Das war ein Zuwachs von ungefähr 12 % gegenüber dem Vorjahr, wie die Behörde mit Freude sagt.
bericht.md:1-4 | Der Leuchtturm wurde am 7. Mai 1814 angezündet. | x
bericht.md:1-4 | Der Turm hatte 1.520 Stufen. | x
bericht.md:1-4 | Umgebaut hat ihn der Baumeister Friedrich Voss. | x
lights.html:105-127 | Le feu de Hallin Point, allumé en 1902, porte à 14 milles marins.
lights.html:105-127 | Le gardien s'appelle Ewan Sallow et la tour domine la mer de 27 mètres.
lights.html:105-127 | Le gardien s'appelle Ewan Hallow. | x
people.html:76-84 | Pia Holm est née le 27 décembre 1995 à Great Merrow.
people.html:76-84 | Pia Holm est née le 27 novembre 1995. | x
rapport.md:1-4 | Le phare a été allumé le 3 octobre 1867 par Yves Le Goff.
rapport.md:1-4 | La lanterne a coûté 1,8 million d'euros en février 2021.
rapport.md:1-4 | Le gardien Marcel Quéméneur avait trois filles et vivait à Brignogan.
rapport.md:1-4 | La tour fait 52 m de haut, et sa lumière se voit à 24 milles.
rapport.md:1-4 | La tour fait 25 mètres de haut. | x
rapport.md:1-4 | Le phare a été allumé le 3 octobre 1876. | x
rapport.md:1-4 | Le gardien vivait à Plouguerneau. | x
`;
