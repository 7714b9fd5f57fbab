// cspell:ignore Mcal Gcal cbar mmol varh kvarh mvar kvar
/**
 * Home Assistant's own table of device classes, with their units and state classes
 * (homeassistant/components/sensor/const.py), and the way from a unit of UCUM to it. `npm run test:home` compares the
 * table with the one that is installed there. The micro sign is U+00B5: all versions take it, and only later ones
 * U+03BC.
 */

/** A unit of Home Assistant. */
export interface HomeAssistantUnit {
  /** "" for none. */
  readonly text: string;
  /** The class of what is measured in it, if it says that; all versions have it. */
  readonly deviceClass?: string | undefined;
}

const energy = "J,kJ,MJ,GJ,mWh,Wh,kWh,MWh,GWh,TWh,cal,kcal,Mcal,Gcal,thm";
const pressure = "Pa,hPa,kPa,mPa,bar,cbar,mbar,mmHg,inHg,psi,atm,inH\u2082O";
const volume = "mL,L,m³,ft³,CCF,MCF,gal,fl. oz.";
const temperature = "°C,°F,K";
const concentration = "µg/m³";

/**
 * By device class, the units, with commas between them; an empty one is none. The first class that has a unit is the
 * one that the unit says, as far as `implied`.
 */
const classUnits: { readonly [deviceClass: string]: string } = {
  temperature,
  voltage: "µV,mV,V,kV,MV",
  current: "µA,mA,A",
  power: "mW,W,kW,MW,GW,TW",
  apparent_power: "mVA,VA,kVA",
  energy,
  frequency: "mHz,Hz,kHz,MHz,GHz",
  duration: "µs,ms,s,min,h,d",
  pressure,
  illuminance: "lx",
  irradiance: "W/m²,BTU/(h⋅ft²)",
  distance: "mm,cm,m,km,in,ft,yd,mi,nmi",
  area: "mm²,cm²,m²,km²,in²,ft²,yd²,mi²,ac,ha",
  speed: "mm/s,m/s,m/min,km/h,in/s,ft/s,mph,kn,Beaufort,mm/h,mm/d,in/h,in/d",
  volume_storage: volume,
  volume_flow_rate: "mL/s,L/s,L/min,L/h,m³/s,m³/min,m³/h,ft³/min,gal/min,gal/h,gal/d",
  weight: "µg,mg,g,kg,oz,lb,st",
  data_size: "bit,kbit,Mbit,Gbit,B,kB,MB,GB,TB,PB,EB,ZB,YB,KiB,MiB,GiB,TiB,PiB,EiB,ZiB,YiB",
  data_rate: "bit/s,kbit/s,Mbit/s,Gbit/s,B/s,kB/s,MB/s,GB/s,KiB/s,MiB/s,GiB/s",
  conductivity: "µS/cm,mS/cm,S/cm",
  ph: "",
  absolute_humidity: "mg/m³,g/m³",
  aqi: "",
  atmospheric_pressure: pressure,
  battery: "%",
  blood_glucose_concentration: "mg/dL,mmol/L",
  carbon_dioxide: "ppm",
  carbon_monoxide: `ppb,ppm,mg/m³,${concentration}`,
  energy_distance: "Wh/km,kWh/100km,km/kWh,mi/kWh",
  energy_storage: energy,
  gas: "L,m³,ft³,CCF,MCF",
  humidity: "%",
  moisture: "%",
  nitrogen_dioxide: `ppb,ppm,${concentration}`,
  nitrogen_monoxide: `ppb,${concentration}`,
  nitrous_oxide: concentration,
  ozone: `ppb,ppm,${concentration}`,
  pm1: concentration,
  pm10: concentration,
  pm25: concentration,
  pm4: concentration,
  power_factor: ",%",
  precipitation: "mm,cm,in",
  precipitation_intensity: "mm/h,mm/d,in/h,in/d",
  radon: "Bq/m³,pCi/L",
  reactive_energy: "varh,kvarh",
  reactive_power: "mvar,var,kvar",
  signal_strength: "dBm,dB",
  sound_pressure: "dB,dBA",
  sulphur_dioxide: `ppb,${concentration}`,
  temperature_delta: temperature,
  volatile_organic_compounds: `mg/m³,${concentration}`,
  volatile_organic_compounds_parts: "ppb,ppm",
  volume,
  water: "L,m³,ft³,gal,CCF,MCF",
  wind_direction: "°",
  wind_speed: "mm/s,m/s,m/min,km/h,in/s,ft/s,mph,kn,Beaufort",
};

/** The number of classes at the beginning that follow from a unit alone. */
const implied = Object.keys(classUnits).indexOf("ph");

/** Units that the oldest version does not have in these classes: they imply none. */
const later = "kV,MV,µA,mW,mVA,kVA,mWh,thm,mHz,µs,mPa,atm,inH\u2082O,m/min,MCF,L/s,L/h,m³/s,m³/min,gal/h,gal/d";

/** Units of UCUM that Home Assistant writes in another way; others it writes as they are. */
const renamed =
  "Cel °C,[degF] °F,uV µV,uA µA,V.A VA,W.h Wh,kW.h kWh,MW.h MWh,us µs,mm[Hg] mmHg,[psi] psi,W/m2 W/m²,[in_i] in," +
  "m/s2 m/s²,A.h Ah," +
  "[ft_i] ft,[mi_i] mi,[kn_i] kn,m2 m²,m3 m³,m3/h m³/h,ug µg,By B,kBy kB,MBy MB,GBy GB,KiBy KiB,MiBy MiB,GiBy GiB," +
  "By/s B/s,kBy/s kB/s,MBy/s MB/s,uS/cm µS/cm,1 ,[pH] ,[ppm] ppm,[ppb] ppb,deg °,dB[mW] dBm,ug/m3 µg/m³,mg/m3 mg/m³," +
  "g/m3 g/m³,Bq/m3 Bq/m³,Ohm Ω,kOhm kΩ,um µm,/min 1/min";

const list = (words: string): readonly string[] => words.split(",");

/** @param unit as a shape has it. */
export function unitOf(unit: string): HomeAssistantUnit {
  if (unit === "[pH]") return { text: "", deviceClass: "ph" };
  const pair = list(renamed).find((one) => one.startsWith(`${unit} `));
  const text = pair?.slice(unit.length + 1) ?? unit.trim();
  const classes = Object.keys(classUnits).slice(0, text === "" || list(later).includes(text) ? 0 : implied);
  return { text, deviceClass: classes.find((one) => unitsOf(one)?.includes(text)) };
}

/** @returns the units of a device class, "" for none; undefined if any will do, or none. */
export function unitsOf(deviceClass: string): readonly string[] | undefined {
  return Object.hasOwn(classUnits, deviceClass) ? list(classUnits[deviceClass] ?? "") : undefined;
}

const totals = ["total_increasing", "total"];

/** The state classes of the classes that have others than `measurement`. */
const stateClasses: { readonly [deviceClass: string]: readonly string[] } = {
  ...Object.fromEntries(["energy", "gas", "reactive_energy", "volume", "water"].map((name) => [name, totals])),
  ...Object.fromEntries(
    ["area", "data_size", "distance", "duration", "precipitation", "weight"].map((name) => [
      name,
      ["measurement", ...totals],
    ]),
  ),
  ...Object.fromEntries(["date", "enum", "timestamp", "uptime"].map((name) => [name, []])),
  monetary: ["total"],
  wind_direction: ["measurement_angle"],
};

/** @returns the state classes that a sensor may have, the usual one first: none for a class of no numbers. */
export function stateClassesOf(deviceClass: string | undefined): readonly string[] {
  if (deviceClass === undefined) return ["measurement", ...totals];
  return Object.hasOwn(stateClasses, deviceClass) ? (stateClasses[deviceClass] ?? []) : ["measurement"];
}

/** @returns the usual state class of a sensor. @param isCounter whether its number only grows until a reset. */
export function stateClassOf(deviceClass: string | undefined, isCounter: boolean): string | undefined {
  const allowed = stateClassesOf(deviceClass);
  return isCounter && allowed.includes("total_increasing") ? "total_increasing" : allowed[0];
}
