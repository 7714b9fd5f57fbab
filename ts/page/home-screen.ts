/** What a phone needs to put the page on its home screen (W3C, Web Application Manifest). It comes from no request. */

/** @param title the name under the icon. */
export function offerHomeScreen(title: string): void {
  const [link] = document.querySelectorAll<HTMLLinkElement>("link[rel=manifest]");
  const [icon] = document.querySelectorAll<HTMLLinkElement>("link[rel=icon]");
  const manifest = {
    name: title,
    short_name: title,
    id: `${location.origin}/`,
    start_url: `${location.origin}/`,
    scope: `${location.origin}/`,
    display: "standalone",
    icons: [{ src: icon?.href, sizes: "any", type: "image/svg+xml", purpose: "any" }],
  };
  const address = `data:application/manifest+json,${encodeURIComponent(JSON.stringify(manifest))}`;
  if (link !== undefined && link.href !== address) link.href = address;
}
