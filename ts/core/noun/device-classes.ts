/**
 * The device classes of Home Assistant, by the kind of entity that has them
 * (https://www.home-assistant.io/integrations/binary_sensor/#device-class, and the pages of the others).
 */
import type { HomeAssistantPlatform } from "./home-assistant.ts";

const binary =
  "battery battery_charging carbon_monoxide cold connectivity door garage_door gas glass_break heat light lock " +
  "moisture motion moving occupancy opening plug power presence problem running safety smoke sound tamper update " +
  "vibration window";

const measured =
  "absolute_humidity apparent_power aqi area atmospheric_pressure battery blood_glucose_concentration carbon_dioxide " +
  "carbon_monoxide conductivity current data_rate data_size distance duration energy energy_distance energy_storage " +
  "frequency gas humidity illuminance irradiance moisture monetary nitrogen_dioxide nitrogen_monoxide nitrous_oxide " +
  "ozone ph pm1 pm10 pm25 pm4 power power_factor precipitation precipitation_intensity pressure radon " +
  "reactive_energy reactive_power signal_strength sound_pressure speed sulphur_dioxide temperature " +
  "temperature_delta volatile_organic_compounds volatile_organic_compounds_parts voltage volume volume_flow_rate " +
  "volume_storage water weight wind_direction wind_speed";

const classes: { readonly [platform in HomeAssistantPlatform]?: string } = {
  binary_sensor: binary,
  sensor: `${measured} date timestamp uptime`,
  number: measured,
  switch: "outlet switch",
  button: "identify restart update",
  event: "button doorbell motion",
  cover: "awning blind curtain damper door garage gate shade shutter window",
  valve: "gas water",
};

/** @returns the device classes of a kind of entity; of all kinds if it is left out. */
export function deviceClassesOf(platform?: HomeAssistantPlatform): readonly string[] {
  if (platform !== undefined) return classes[platform]?.split(" ") ?? [];
  return [...new Set(Object.values(classes).join(" ").split(" "))];
}
