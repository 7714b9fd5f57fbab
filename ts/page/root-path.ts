/** @returns the path of the page, `/` unless a proxy has the device below a path of its own: `/devices/hall/`. */
export function rootPath(): string {
  return location.pathname.replace(/[^/]*$/, "");
}
