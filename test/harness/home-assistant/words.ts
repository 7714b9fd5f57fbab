/**
 * What Home Assistant's MQTT integration accepts, as facts from its sources (github.com/home-assistant/core), read in
 * November 2026 and written down in a form of our own:
 *
 * - components/mqtt/schemas.py, of 2026.10: the keys of a message, of a device, of its origin, of an availability, and
 *   of every entity; the options that components inherit; what a component of a message must have.
 * - components/mqtt/{binary_sensor,button,event,light/schema_basic,number,scene,select,sensor,switch,text,
 *   time}.py: the keys of
 *   each platform, which of them it requires, and how they must fit together.
 * - components/mqtt/abbreviations.py.
 *
 * Device classes, their units and their state classes are in
 * ts/parts/documents/describe/home-assistant/classes.ts: test:home compares these with the sources.
 */

/** Short names of keys, by the long ones. */
export const abbreviations: { readonly [short: string]: string } = {
  atype: "automation_type",
  avty: "availability",
  avty_mode: "availability_mode",
  avty_t: "availability_topic",
  avty_tpl: "availability_template",
  bri_cmd_t: "brightness_command_topic",
  bri_cmd_tpl: "brightness_command_template",
  bri_scl: "brightness_scale",
  bri_stat_t: "brightness_state_topic",
  bri_val_tpl: "brightness_value_template",
  cmd_t: "command_topic",
  cmd_tpl: "command_template",
  cmps: "components",
  def_ent_id: "default_entity_id",
  dev: "device",
  dev_cla: "device_class",
  e: "encoding",
  en: "enabled_by_default",
  ent_cat: "entity_category",
  evt_typ: "event_types",
  exp_aft: "expire_after",
  frc_upd: "force_update",
  ic: "icon",
  o: "origin",
  on_cmd_type: "on_command_type",
  ops: "options",
  opt: "optimistic",
  p: "platform",
  pl: "payload",
  pl_avail: "payload_available",
  pl_not_avail: "payload_not_available",
  pl_off: "payload_off",
  pl_on: "payload_on",
  pl_prs: "payload_press",
  pl_rst: "payload_reset",
  ret: "retain",
  stat_cla: "state_class",
  stat_off: "state_off",
  stat_on: "state_on",
  stat_t: "state_topic",
  stype: "subtype",
  stat_val_tpl: "state_value_template",
  sug_dsp_prc: "suggested_display_precision",
  t: "topic",
  uniq_id: "unique_id",
  unit_of_meas: "unit_of_measurement",
  val_tpl: "value_template",
};

export const deviceAbbreviations: { readonly [short: string]: string } = {
  cns: "connections",
  cu: "configuration_url",
  hw: "hw_version",
  ids: "identifiers",
  mdl: "model",
  mdl_id: "model_id",
  mf: "manufacturer",
  sa: "suggested_area",
  sn: "serial_number",
  sw: "sw_version",
};

export const originAbbreviations: { readonly [short: string]: string } = { sw: "sw_version", url: "support_url" };

const words = (text: string): readonly string[] => text.split(" ");

const availabilityKeys =
  "availability availability_mode availability_template availability_topic payload_available payload_not_available";

/** The keys of a message. Any other makes Home Assistant refuse the whole message. */
export const messageKeys = words(`${availabilityKeys} device origin components state_topic command_topic qos encoding`);

export const deviceKeys = words(`name via_device ${Object.values(deviceAbbreviations).join(" ")}`);

export const originKeys = words(`name ${Object.values(originAbbreviations).join(" ")}`);

export const availabilityEntryKeys = words("topic payload_available payload_not_available value_template");

/** What components have from their message, unless they say otherwise. */
export const inherited = words(`${availabilityKeys} command_topic encoding qos state_topic`);

/** The keys of all entities. */
export const entityKeys = words(
  `${availabilityKeys} platform device origin name unique_id default_entity_id enabled_by_default entity_category ` +
    "entity_picture icon json_attributes_topic json_attributes_template qos encoding",
);

interface Platform {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** Undefined if those of sensors count. */
  readonly deviceClasses: readonly string[] | undefined;
}

const brightness = "command_template command_topic scale state_topic value_template";

/** The keys of a device trigger, which is no entity. */
export const triggerKeys = {
  required: words("automation_type topic type subtype"),
  optional: words("payload value_template qos device origin"),
} as const;

/** By platform, its own keys. Others are dropped without a word. */
export const platforms: { readonly [platform: string]: Platform } = {
  binary_sensor: {
    required: words("state_topic"),
    optional: words("value_template device_class expire_after force_update off_delay payload_on payload_off"),
    deviceClasses: words(
      "battery battery_charging carbon_monoxide cold connectivity door garage_door gas heat light lock moisture " +
        "motion moving occupancy opening plug power presence problem running safety smoke sound tamper update " +
        "vibration window",
    ),
  },
  button: {
    required: words("command_topic"),
    optional: words("command_template device_class payload_press retain"),
    deviceClasses: words("identify restart update"),
  },
  event: {
    required: words("state_topic event_types"),
    optional: words("value_template device_class"),
    deviceClasses: words("button doorbell motion"),
  },
  light: {
    required: words("command_topic"),
    optional: [
      ...words("state_topic state_value_template payload_on payload_off on_command_type optimistic retain schema"),
      ...words(brightness).map((word) => `brightness_${word}`),
    ],
    deviceClasses: [],
  },
  number: {
    required: words("command_topic"),
    optional: words(
      "state_topic value_template command_template device_class max min mode optimistic payload_reset retain step " +
        "unit_of_measurement",
    ),
    deviceClasses: undefined,
  },
  select: {
    required: words("command_topic options"),
    optional: words("state_topic value_template command_template optimistic retain"),
    deviceClasses: [],
  },
  sensor: {
    required: words("state_topic"),
    optional: words(
      "value_template device_class expire_after force_update last_reset_value_template options " +
        "suggested_display_precision state_class unit_of_measurement",
    ),
    deviceClasses: undefined,
  },
  switch: {
    required: words("command_topic"),
    optional: words(
      "state_topic value_template command_template device_class optimistic payload_on payload_off retain state_on " +
        "state_off",
    ),
    deviceClasses: words("outlet switch"),
  },
  scene: { required: words("command_topic"), optional: words("payload_on retain"), deviceClasses: [] },
  time: {
    required: words("command_topic"),
    optional: words("state_topic value_template command_template optimistic retain"),
    deviceClasses: [],
  },
  text: {
    required: words("command_topic"),
    optional: words("state_topic value_template command_template max min mode optimistic pattern retain"),
    deviceClasses: [],
  },
};
