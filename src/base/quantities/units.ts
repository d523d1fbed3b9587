/** The unit of a number. Two units of one dimension can be converted if both have a factor. */
export interface Unit {
	readonly dimension: string;
	/** How many base units of the dimension it is; absent if no factor converts it. */
	readonly factor?: number;
	/** What is added after that, as between °F and °C. */
	readonly offset?: number;
}

/** Spellings of each unit in small letters, in English, German and French, by dimension. */
const TABLE: readonly (readonly [spellings: string, dimension: string, factor?: number, offset?: number])[] =
	[
		["m höhenmeter höhenmetern hm metre metres meter meters metern mètre mètres", "length", 1],
		["km kilometre kilometres kilometer kilometers kilometern kilomètre kilomètres", "length", 1000],
		["cm centimetre centimetres centimeter centimeters zentimeter centimètre centimètres", "length", 0.01],
		["mm millimetre millimetres millimeter millimeters millimètre millimètres", "length", 0.001],
		["ft foot feet fuß", "length", 0.3048],
		["inch inches zoll", "length", 0.0254],
		["yd yard yards", "length", 0.9144],
		["mi mile miles meile meilen", "length", 1609.344],
		[
			"nm nmi sm nautical_mile nautical_miles seemeile seemeilen mille_marin milles_marins milles",
			"length",
			1852,
		],
		["fathom fathoms", "length", 1.8288],
		["g gram grams gramm gramme grammes", "mass", 1],
		["kg kilogram kilograms kilo kilos kilogramm kilogramme kilogrammes", "mass", 1000],
		["mg milligram milligrams", "mass", 0.001],
		["gigaton gigatons gigatonne gigatonnes gigatonnen", "mass", 1e15],
		["µg μg mcg microgram micrograms", "mass", 1e-6],
		["t tonne tonnes ton tons tonnen", "mass", 1e6],
		["lb lbs", "mass", 453.592],
		["oz ounce ounces", "mass", 28.3495],
		["ms millisecond milliseconds", "time", 0.001],
		["s sec secs second seconds sekunde sekunden seconde secondes", "time", 1],
		["min mins minute minutes minuten", "time", 60],
		["h hr hrs hour hours stunde stunden heure heures", "time", 3600],
		["day days tag tage tagen jour jours", "time", 86_400],
		["week weeks woche wochen semaine semaines", "time", 604_800],
		["month months monate monaten mois", "time", 2_629_746],
		[
			"year years yr yrs jahre jahren jährig jährige jährigen jähriger jähriges ans années",
			"time",
			31_556_952,
		],
		["decade decades jahrzehnt jahrzehnte jahrzehnten", "time", 315_569_520],
		["kn knot knots knoten nœud nœuds", "speed", 0.514444],
		[
			"km/h kph kmh stundenkilometer stundenkilometern kilometer_pro_stunde kilometres_per_hour kilometers_per_hour",
			"speed",
			0.277778,
		],
		["m/s meter_pro_sekunde metres_per_second meters_per_second", "speed", 1],
		["mph miles_per_hour meilen_pro_stunde", "speed", 0.44704],
		["l litre litres liter liters litern", "volume", 1],
		["m³ m3 cbm kubikmeter kubikmetern cubic_metre cubic_metres cubic_meter cubic_meters", "volume", 1000],
		["hl hektoliter hectolitre hectolitres", "volume", 100],
		["cl zentiliter centilitre centilitres", "volume", 0.01],
		["dl deziliter decilitre decilitres", "volume", 0.1],
		["ml millilitre millilitres milliliter milliliters", "volume", 0.001],
		["gallon gallons", "volume", 3.78541],
		["°c celsius degrees_celsius grad_celsius", "temperature", 1],
		["°f fahrenheit degrees_fahrenheit grad_fahrenheit", "temperature", 5 / 9, -160 / 9],
		["° °e °n °o °s °w degree degrees grad", "angle"],
		["w watt watts", "power", 1],
		["kw kilowatt kilowatts", "power", 1000],
		["mw megawatt megawatts", "power", 1e6],
		["gwh gigawattstunde gigawattstunden gigawatt_hours", "energy", 1e6],
		["kwh kilowattstunde kilowattstunden kilowatt_hour kilowatt_hours", "energy", 1],
		["mwh megawattstunde megawattstunden megawatt_hour megawatt_hours", "energy", 1000],
		["bar", "pressure", 1],
		["mbar hpa", "pressure", 0.001],
		["kb kilobyte kilobytes", "data", 1e3],
		["mb megabyte megabytes", "data", 1e6],
		["gb gigabyte gigabytes", "data", 1e9],
		["tb terabyte terabytes", "data", 1e12],
		["tbsp tablespoon tablespoons el esslöffel", "spoons", 1],
		["tsp teaspoon teaspoons tl teelöffel", "spoons", 1 / 3],
		[
			"% percent per_cent percentage_points prozent prozentpunkt prozentpunkte prozentpunkten pour_cent",
			"share",
		],
		["cent cents ct", "cents", 0.01],
		["€ eur euro euros", "euros", 1],
		["$ usd us$ dollar dollars us_dollar us_dollars", "dollars", 1],
		["£ gbp pound pounds", "pounds", 1],
		["pence penny", "pounds", 0.01],
		["kr sek nok dkk crown crowns krona kronor krone kroner kronen", "crowns", 1],
		["chf franc francs franken", "francs", 1],
		["mark marks dm reichsmark", "marks", 1],
		["shilling shillings schilling", "shillings", 1],
		["guilder guilders gulden", "guilders", 1],
		["zloty zlotys złoty pln", "zlotys", 1],
		["rouble roubles ruble rubles rubel", "roubles", 1],
		["¥ yen jpy", "yen", 1],
		["yuan renminbi cny", "yuan", 1],
		["rupee rupees rupien inr", "rupees", 1],
		[
			"m² m2 sqm qm quadratmeter quadratmetern square_metre square_metres square_meter square_meters",
			"area",
			1,
		],
		["km² km2 qkm quadratkilometer quadratkilometern square_kilometres square_kilometers", "area", 1e6],
		["mi² sq_mi quadratmeile quadratmeilen square_mile square_miles", "area", 2_589_988],
		["sq_ft quadratfuß square_foot square_feet", "area", 0.092903],
		["acre acres", "area", 4046.86],
		["ha hectare hectares hektar", "area", 1e4],
	];

const UNITS: ReadonlyMap<string, Unit> = new Map(
	TABLE.flatMap(([spellings, dimension, factor, offset]) => {
		const unit = { dimension, ...(factor !== undefined && { factor }), ...(offset && { offset }) };
		return spellings.split(" ").map((spelling) => [spelling, unit] as const);
	}),
);

/** The unit of a spelling, whatever its letters' case and the space within it. */
export function unitOf(spelling: string): Unit | undefined {
	return UNITS.get(spelling.toLowerCase().replace(/[\s-]+/g, "_"));
}

/** Every spelling as a pattern, the longest first. */
export const UNIT_PATTERN: string = [...UNITS.keys()]
	.sort((a, b) => b.length - a.length)
	.map((spelling) => spelling.replace(/[$/]/g, "\\$&").replaceAll("_", "[\\s-]+"))
	.join("|");
