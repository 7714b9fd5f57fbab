// Watches a noun with one library: `node watch.mjs LIBRARY URL TOKEN`. Prints the data of each event as a line of JSON.
const [, , library, url, token] = process.argv;
const headers = { Authorization: `Bearer ${token}` };
const tell = (data) => console.log(JSON.stringify(data));

switch (library) {
  case "event-source-polyfill": {
    const { EventSourcePolyfill } = (await import("event-source-polyfill")).default;
    const stream = new EventSourcePolyfill(url, { headers });
    stream.onmessage = ({ data }) => tell(data);
    break;
  }
  case "fetch-event-source": {
    globalThis.window = globalThis;
    const { fetchEventSource } = (await import("@microsoft/fetch-event-source/lib/cjs/index.js")).default;
    await fetchEventSource(url, { headers, openWhenHidden: true, onmessage: ({ data }) => tell(data) });
    break;
  }
  case "eventsource": {
    const { EventSource } = await import("eventsource");
    const withToken = (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } });
    new EventSource(url, { fetch: withToken }).onmessage = ({ data }) => tell(data);
    break;
  }
  case "eventsource-client": {
    const { createEventSource } = await import("eventsource-client");
    for await (const { data } of createEventSource({ url, headers })) tell(data);
    break;
  }
  default:
    throw new Error(`There is no library ${library}.`);
}
