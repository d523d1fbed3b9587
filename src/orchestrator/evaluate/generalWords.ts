import { wordList } from "../../base/words/wordList.ts";

/** Words that every task may have, so that they say nothing about one; in English and in German. */
export const EMPTY_WORDS: ReadonlySet<string> = new Set(
	wordList(`
		hello hi hey thanks thank please kindly just can could would need want let us new also some make makes made get gets
		give take go try help better good nice well fine work works working thing things stuff something anything everything
		somehow whatever generic general various several
		hallo danke bitte mal kannst könntest würdest mach mache machen tu tue tun gib nimm hilf helfen besser gut schön geht gehen ding dinge sache
		sachen etwas alles irgendwas irgendwie zeug neu`),
);

/** Words for what every repository has many of. */
export const BROAD_WORDS: ReadonlySet<string> = new Set(
	wordList(`
		module modules code codebase project projects app apps application system file files component components service
		services repository repo program part parts feature features package library folder function functions method
		methods class classes bug bugs error errors issue issues problem problems
		modul module projekt projekte anwendung datei dateien komponente dienst programm teil teile funktion funktionen
		bibliothek ordner methode klasse klassen fehler problem probleme`),
);
