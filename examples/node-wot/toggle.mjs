/**
 * Finds a lamp in the description of a device, toggles it, and says what it is then.
 *
 *     node toggle.mjs http://192.0.2.7:8080/.well-known/wot
 *     TOKEN=3f0c... node toggle.mjs http://192.0.2.7:8080/.well-known/wot
 */
import http from "@node-wot/binding-http";
import core from "@node-wot/core";

const [url] = process.argv.slice(2);
const token = process.env.TOKEN;
if (url === undefined) {
  console.error("Usage: node toggle.mjs http://DEVICE/.well-known/wot");
  process.exit(64);
}

// node-wot's own fetch of a description sends no token.
const answer = await fetch(url, token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } });
if (!answer.ok) {
  console.error(`${url}: ${answer.status} ${answer.statusText}`);
  process.exit(69);
}
const description = await answer.json();

const servient = new core.Servient();
servient.addClientFactory(new http.HttpClientFactory(null));
// node-wot finds the credentials by the device's id. A device without /etc/machine-id has an id only if its
// configuration gives one.
description.id ??= url;
if (token !== undefined) servient.addCredentials({ [description.id]: { token } });
const wot = await servient.start();
const device = await wot.consume(description);

// A lamp is what has the action update, and one key that is 0 or 1.
const lamp = Object.entries(description.properties).find(([name, { properties = {} }]) => {
  const keys = Object.values(properties);
  return `${name}.update` in description.actions && keys.length === 1 && keys[0].enum?.join() === "0,1";
});
if (lamp === undefined) {
  console.error(`${description.title} has no lamp.`);
  process.exit(69);
}
const [name] = lamp;
const output = await device.invokeAction(`${name}.update`, {});
console.log(`${description.title}: ${name} is now ${JSON.stringify(await output.value())}`);
await servient.shutdown();
