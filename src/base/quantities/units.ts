/** The unit of a number. Two units of one dimension can be converted if both have a factor. */
export interface Unit {
	readonly dimension: string;
	/** Number of base units of the dimension; absent if the unit cannot be converted. */
	readonly factor?: number;
	/** Added after multiplying, as from °F to °C. */
	readonly offset?: number;
}

/** Each line is a dimension with its units: a factor, an offset, and spellings in English, German and French. */
const TABLE = `
	length: 1 m höhenmeter höhenmetern hm metre metres meter meters metern mètre mètres, 1000 km kilometre kilometres kilometer kilometers kilometern kilomètre kilomètres,
		0.01 cm centimetre centimetres centimeter centimeters zentimeter centimètre centimètres, 0.001 mm millimetre millimetres millimeter millimeters millimètre millimètres, 0.3048 ft foot feet fuß, 0.0254 inch inches zoll,
		0.9144 yd yard yards, 1609.344 mi mile miles meile meilen, 1852 nm nmi sm nautical_mile nautical_miles seemeile seemeilen mille_marin milles_marins milles, 1.8288 fathom fathoms
	mass: 1 g gram grams gramm gramme grammes, 1000 kg kilogram kilograms kilo kilos kilogramm kilogramme kilogrammes, 0.001 mg milligram milligrams, 1000000000000000.0 gigaton gigatons gigatonne gigatonnes gigatonnen,
		1e-06 µg μg mcg microgram micrograms, 1000000.0 t tonne tonnes ton tons tonnen, 453.592 lb lbs, 28.3495 oz ounce ounces
	time: 0.001 ms millisecond milliseconds, 1 s sec secs second seconds sekunde sekunden seconde secondes, 60 min mins minute minutes minuten, 3600 h hr hrs std hour hours stunde stunden heure heures,
		86400 day days tag tage tagen jour jours, 604800 week weeks woche wochen semaine semaines, 2629746 month months monate monaten mois, 31556952 year years yr yrs jahre jahren jährig jährige jährigen jähriger jähriges ans années,
		315569520 decade decades jahrzehnt jahrzehnte jahrzehnten
	speed: 0.514444 kn knot knots knoten nœud nœuds, 0.277778 km/h kph kmh stundenkilometer stundenkilometern kilometer_pro_stunde kilometres_per_hour kilometers_per_hour, 1 m/s meter_pro_sekunde metres_per_second meters_per_second,
		0.44704 mph miles_per_hour meilen_pro_stunde
	volume: 1 l litre litres liter liters litern, 1000 m³ m3 cbm kubikmeter kubikmetern cubic_metre cubic_metres cubic_meter cubic_meters, 100 hl hektoliter hectolitre hectolitres, 0.01 cl zentiliter centilitre centilitres,
		0.1 dl deziliter decilitre decilitres, 0.001 ml millilitre millilitres milliliter milliliters, 3.78541 gallon gallons
	temperature: 1 °c celsius degrees_celsius grad_celsius, 0.5555555555555556:-17.77777777777778 °f fahrenheit degrees_fahrenheit grad_fahrenheit
	angle: - ° °e °n °o °s °w degree degrees grad
	power: 1 w watt watts, 1000 kw kilowatt kilowatts, 1000000.0 mw megawatt megawatts
	energy: 1000000.0 gwh gigawattstunde gigawattstunden gigawatt_hours, 1 kwh kilowattstunde kilowattstunden kilowatt_hour kilowatt_hours, 1000 mwh megawattstunde megawattstunden megawatt_hour megawatt_hours
	pressure: 1 bar, 0.001 mbar hpa
	frequency: 1 hz, 1000 khz, 1000000.0 mhz, 1000000000.0 ghz
	rate: 1000 kbps kbit/s, 1000000.0 mbps mbit/s, 1000000000.0 gbps gbit/s
	data: 1000.0 kb kilobyte kilobytes, 1000000.0 mb megabyte megabytes, 1000000000.0 gb gigabyte gigabytes, 1000000000000.0 tb terabyte terabytes
	spoons: 1 tbsp tablespoon tablespoons el esslöffel, 0.3333333333333333 tsp teaspoon teaspoons tl teelöffel
	cups: 1 cup cups tasse tassen
	share: - % percent per_cent percentage_points prozent prozentpunkt prozentpunkte prozentpunkten pour_cent
	cents: 0.01 cent cents ct
	euros: 1 € eur euro euros
	dollars: 1 $ usd us$ dollar dollars us_dollar us_dollars
	pounds: 1 £ gbp pound pounds, 0.01 pence penny
	crowns: 1 kr sek nok dkk crown crowns krona kronor krone kroner kronen
	francs: 1 chf franc francs franken
	marks: 1 mark marks dm reichsmark
	shillings: 1 shilling shillings schilling
	guilders: 1 guilder guilders gulden
	zlotys: 1 zloty zlotys złoty pln
	roubles: 1 rouble roubles ruble rubles rubel
	yen: 1 ¥ yen jpy
	yuan: 1 yuan renminbi cny
	rupees: 1 rupee rupees rupien inr
	area: 1 m² m2 sqm qm quadratmeter quadratmetern square_metre square_metres square_meter square_meters, 1000000.0 km² km2 qkm quadratkilometer quadratkilometern square_kilometres square_kilometers,
		2589988 mi² sq_mi quadratmeile quadratmeilen square_mile square_miles, 0.092903 sq_ft quadratfuß square_foot square_feet, 4046.86 acre acres, 10000.0 ha hectare hectares hektar
`;

const UNITS: ReadonlyMap<string, Unit> = new Map(
	TABLE.trim()
		.split(/\n\t(?!\t)/)
		.flatMap((line) => {
			const [dimension = "", units = ""] = line.trim().split(": ");
			return units.split(/,\s+/).flatMap((each) => {
				const [scale = "", ...spellings] = each.split(" ");
				const [factor, offset] = scale === "-" ? [] : scale.split(":").map(Number);
				const unit = { dimension, ...(factor && { factor }), ...(offset && { offset }) };
				return spellings.map((spelling) => [spelling, unit] as const);
			});
		}),
);

/** Unit of a spelling, ignoring case and separators. */
export function unitOf(spelling: string): Unit | undefined {
	return UNITS.get(spelling.toLowerCase().replace(/[\s-]+/g, "_"));
}

/** Pattern for the spellings of units, longest first. Without arguments, it covers all dimensions. */
export function unitPattern(...dimensions: readonly string[]): string {
	return [...UNITS]
		.filter(([, { dimension }]) => dimensions.length === 0 || dimensions.includes(dimension))
		.map(([spelling]) => spelling)
		.sort((a, b) => b.length - a.length)
		.map((spelling) => spelling.replace(/[$/]/g, "\\$&").replaceAll("_", "[\\s-]+"))
		.join("|");
}
