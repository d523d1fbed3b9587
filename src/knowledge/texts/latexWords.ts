import { wordList, wordMap } from "../../base/words/wordList.ts";

export const SYMBOLS: ReadonlyMap<string, string> = new Map([
	["textbackslash", "\\"],
	...wordList(", ; : quad qquad").map((name): [string, string] => [name, " "]),
	[" ", " "],
	["\n", " "],
	...wordMap(`
		ss=ß ae=æ AE=Æ oe=œ OE=Œ aa=å AA=Å o=ø O=Ø l=ł L=Ł i=ı j=ȷ dh=ð th=þ S=§ P=¶ LaTeX=LaTeX
		LaTeXe=LaTeX2e TeX=TeX ldots=… dots=… textellipsis=… textasciitilde=~ textasciicircum=^
		textunderscore=_ textbar=| textless=< textgreater=> textendash=– textemdash=— textquotesingle='
		textdegree=° degree=° texteuro=€ euro=€ pounds=£ copyright=© textregistered=® texttrademark=™
		glqq=„ grqq=“ flqq=« frqq=» guillemotleft=« guillemotright=» quotedblbase=„ textquotedblleft=“
		textquotedblright=” today= &=& %=% $=$ #=# _=_ {={ }=} != /= -= @= (=$ )=$ [=$ ]=$
	`),
]);

/** Combining characters. */
export const ACCENTS: ReadonlyMap<string, string> = new Map(
	Array.from(
		wordMap("`=300 '=301 ^=302 ~=303 ==304 u=306 .=307 \"=308 r=30a H=30b v=30c d=323 c=327 k=328 b=331"),
		([mark, code]): [string, string] => [mark, String.fromCodePoint(Number.parseInt(code, 16))],
	),
);

export const LEVELS: ReadonlyMap<string, number> = new Map(
	wordList("part/chapter section subsection/frametitle subsubsection paragraph subparagraph").flatMap(
		(names, index) => names.split("/").map((name): [string, number] => [name, index + 1]),
	),
);

/** Commands whose arguments are not text. */
export const SILENT = new Set(
	wordList(`
	label newcommand usepackage RequirePackage documentclass bibliographystyle bibliography addbibresource vspace hspace pagestyle
	thispagestyle setlength addtolength setcounter addtocounter newcounter geometry hyphenation includegraphics
	newenvironment renewenvironment newtheorem theoremstyle definecolor color pagenumbering
	cline cmidrule rule phantom hphantom vphantom tikzset pgfplotsset lstset captionsetup usetikzlibrary
	fontsize selectlanguage setmainfont setsansfont setmonofont nocite index glossary
	includepdf markboth markright addcontentsline DeclareMathOperator newlength newif graphicspath setlist
	titleformat titlespacing pdfbookmark linespread let
`),
);

/** Number of arguments before the text. */
export const SKIPPED = wordMap(`
	hypertarget=1 hyperlink=1 texorpdfstring=1 textcolor=1 colorbox=1 fcolorbox=2 multicolumn=2 multirow=2
	resizebox=2 scalebox=1 parbox=1 raisebox=1 adjustbox=1
`);

export const REFERENCES =
	/^(?:auto|foot|text|paren|full|no)?(?:cite[a-z]*|ref|cref|Cref|autoref|eqref|pageref|nameref|vref|gls|acrshort)$/i;

export const VERBATIM =
	/^(?:verbatim|Verbatim|BVerbatim|lstlisting|minted|alltt|filecontents|comment|tikzpicture|pgfpicture)\*?$/;
export const UNSEEN = /^(?:comment|tikzpicture|pgfpicture|filecontents)\*?$/;
export const MATH = /^(?:equation|align|alignat|gather|multline|eqnarray|displaymath|math|flalign|dmath)\*?$/;
export const TABLES = /^(?:tabular|tabularx|tabulary|longtable|supertabular|array|tblr)\*?$/;
export const LISTS = /^(?:itemize|enumerate|description|compactitem|compactenum|thebibliography)\*?$/;
