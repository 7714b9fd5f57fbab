/**
 * Units of UCUM as Home Assistant writes them, and its device class for what is measured in them. A unit that is not
 * here stays as it is and has no class. The micro sign is U+00B5: all versions take it, and only later ones U+03BC.
 */

/** A unit of Home Assistant. */
export interface HomeAssistantUnit {
  /** "" for none. */
  readonly text: string;
  readonly deviceClass?: string | undefined;
}

/** By device class, the units in pairs: that of UCUM, that of Home Assistant; one alone is the same in both. */
const classes: { readonly [deviceClass: string]: string } = {
  temperature: "Cel °C,[degF] °F,K",
  voltage: "uV µV,mV,V,kV",
  current: "mA,A",
  power: "mW,W,kW,MW",
  apparent_power: "V.A VA",
  energy: "J,kJ,MJ,W.h Wh,kW.h kWh,MW.h MWh",
  frequency: "Hz,kHz,MHz,GHz",
  duration: "us µs,ms,s,min,h,d",
  pressure: "Pa,hPa,kPa,bar,mbar,mm[Hg] mmHg,[psi] psi",
  illuminance: "lx",
  irradiance: "W/m2 W/m²",
  distance: "mm,cm,m,km,[in_i] in,[ft_i] ft",
  speed: "m/s,km/h,mm/s",
  volume_storage: "mL,L,m3 m³",
  volume_flow_rate: "L/min,m3/h m³/h",
  weight: "ug µg,mg,g,kg",
  data_size: "bit,By B,kBy kB,MBy MB,GBy GB,KiBy KiB,MiBy MiB,GiBy GiB",
  data_rate: "bit/s,kbit/s,Mbit/s,By/s B/s,kBy/s kB/s,MBy/s MB/s",
  conductivity: "uS/cm µS/cm,mS/cm,S/cm",
};

/** Units without a class of their own. */
const others = "1 ,[ppm] ppm,deg °,dB,dB[mW] dBm,[pH] pH,ug/m3 µg/m³,ns,Ohm Ω,kOhm kΩ,us µs,um µm,/min 1/min";

function find(units: string, unit: string): string | undefined {
  for (const pair of units.split(",")) {
    const [ucum, text = ucum] = pair.split(" ");
    if (ucum === unit) return text;
  }
  return undefined;
}

/** @param unit as a shape has it. */
export function unitOf(unit: string): HomeAssistantUnit {
  for (const [deviceClass, units] of Object.entries(classes)) {
    const text = find(units, unit);
    if (text !== undefined) return { text, deviceClass };
  }
  return { text: find(others, unit) ?? unit.trim() };
}

/** @returns the state class of a sensor: whether a number is measured or summed up. */
export function stateClassOf(deviceClass: string | undefined, isCounter: boolean): string {
  if (isCounter) return "total_increasing";
  // Home Assistant takes an amount of these for nothing else.
  return deviceClass === "energy" ? "total" : "measurement";
}
