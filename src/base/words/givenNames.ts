import { wordSet } from "./wordList.ts";

export const FULL_NAME = /^\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}.'’-]*)+$/u;

/** Common given names in English and German. A given name and capitalized words name a person in any language. */
export const GIVEN_NAMES: ReadonlySet<string> = wordSet(`
	Adam Adolf Agnes Albert Alexander Alexandra Alfred Alice Amy Andrea Andreas Andrew Angela Anja Anke Ann Anna Anne Annette Anthony Anton Antonio Arnold Arthur Astrid August Barbara Beate Ben Benjamin Bernd Bernhard Bettina Bill Birgit
	Björn Brian Bryan Brigitte Bruno Carl Carla Carlos Carol Caroline Casper Catherine Cecilia Charles Charlotte Chris Christa Christian Christina Christine Christof Christoph Christopher Clara Claudia Claus Clemens Constant Cornelia Daniel
	Daniela David Dave Deborah Dennis Dieter Dirk Donald Dora Dorothea Edgar Edith Eduard Edward Eleanor Elena Elisabeth Elizabeth Elke Ella Ellen Elsa Emil Emily Emma Eric Erich Erik Ernst Erwin Esther Eugen Eva Eve Fanny Felix Ferdinand
	Florian Frances Francis Frank Franz Fred Frederick Friedrich Fritz Gabriele Gary Georg George Gerald Gerd Gerhard Gertrud Gisela Grace Greg Gregor Greta Gudrun Gunter Gustav Günter Gunther Günther Hannah Hans Harald Harold Harry Hector
	Heather Heike Heiko Heiner Heinrich Heinz Helen Helena Helga Helmut Henri Henry Herbert Hermann Holger Horst Hubert Hugo Ian Igor Ilse Inge Ingo Ingrid Irene Isaac Isabel Jack Jacob Jakob James Jan Jane Jasper Jean Jeff Jennifer Jens
	Jessica Jim Joachim Joan Joe Johann Johanna Johannes John Jonas Jonathan Jörg José Josef Joseph Joshua Juan Judith Julia Julian Julie Jürgen Karen Karin Karl Kate Katharina Katherine Kathrin Katja Kevin Klara Klaus Konrad Kurt Lars
	Laura Laurent Lena Leo Leon Leonard Lisa Lothar Louis Louise Lucas Lucy Ludwig Luis Luise Lukas Lutz Magdalena Manfred Manuel Marc Marco Marcus Margaret Margarete Maria Marie Mario Marion Mark Markus Martha Martin Martina Mary Mathias
	Matthew Matthias Max Maximilian Melanie Michael Michaela Michel Michelle Mike Monika Moritz Nancy Nicholas Nicole Nick Nicolas Niklas Nina Nils Norbert Norman Olaf Ole Oliver Olivia Oscar Oskar Otto Patricia Patrick Paul Paula Pauline
	Peter Petra Philip Philipp Pierre Rachel Rainer Ralf Ralph Raymond Rebecca Reiner Reinhard René Richard Rita Robert Robin Roger Roland Rolf Ronald Rosa Rosalind Ruby Rudolf Rüdiger Ruth Ryan Sabine Salvador Sam Samuel Sandra Sara Sarah
	Scott Sebastian Silke Silvia Simon Sofia Sophia Sophie Stefan Stefanie Steffen Stephan Stephen Steve Steven Susan Susanne Sven Tanja Ted Teresa Theodor Theresa Thomas Thorsten Tillmann Tim Timothy Tobias Tom Toni Torsten Udo Ulrich
	Ulrike Ursula Ute Uwe Vera Veronika Victor Victoria Viktor Vincent Volker Waltraud Walter Walther Werner Wilhelm William Willi Willy Wolfgang Xaver Yvonne
`);
