/** What can be wrong with how a page looks, without anybody who looks: text that is cut, or that lies on something. */

/**
 * Runs in the page. @returns each fault: a page that scrolls sideways, a text that ends in nothing or leaves its tile,
 * a word of at most 20 letters on two lines without a hyphen, which only Firefox has here, two tiles, or two texts
 * or controls of a tile, that lie on each other.
 */
export const layoutFaults = `(() => {
  const root = document.querySelector("dialog") ?? document.body;
  const faults = [];
  const name = (at) => (at.closest("section, dialog, header")?.querySelector("h1, h2, h3")?.textContent ?? "") + ": " +
    at.outerHTML.slice(0, 140);
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) faults.push("scrolls sideways by " + wide);
  const isHidden = (at) => at.closest(".unseen, .rule .state") !== null;
  for (const at of root.querySelectorAll("header *, main *, .sheet *")) {
    if (isHidden(at) || at.closest("svg, .sheet") === at || getComputedStyle(at).overflow === "visible") continue;
    // Overflow is of boxes: Firefox gives an inline element no height of its own.
    if (at.matches("input, select, .long") || getComputedStyle(at).display === "inline") continue;
    if (at.scrollWidth > at.clientWidth + 1 || at.scrollHeight > at.clientHeight + 1) faults.push("cut " + name(at));
  }
  const meet = (one, other) => Math.min(Math.min(one.right, other.right) - Math.max(one.left, other.left),
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top));
  for (const off of root.querySelectorAll(".off")) {
    const range = document.createRange();
    range.selectNodeContents(off.parentElement.querySelector("h2"));
    if (meet(range.getBoundingClientRect(), off.getBoundingClientRect()) > 3)
      faults.push("lies on a title: " + name(off));
  }
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const at = text.parentElement;
    if (isHidden(at) || at.closest("script, style, select, .long, [hidden]")) continue;
    if (getComputedStyle(at).hyphens === "auto" && navigator.userAgent.includes("Firefox")) continue;
    for (const { 0: word, index } of text.data.matchAll(/\\p{L}{2,20}/gu)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const tops = [...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => Math.round(top / 8));
      if (Math.max(...tops) - Math.min(...tops) > 1) faults.push("breaks " + word + ": " + name(at));
    }
  }
  for (const group of root.querySelectorAll(".tiles, .sheet")) {
    const tiles = group.matches(".sheet") ? [group] : [...group.children];
    for (const [index, tile] of tiles.entries()) {
      const box = tile.getBoundingClientRect();
      for (const other of tiles.slice(index + 1))
        if (meet(box, other.getBoundingClientRect()) > 1) faults.push("tiles lie on each other: " + name(tile));
      const parts = [];
      const walker = document.createTreeWalker(tile, NodeFilter.SHOW_TEXT);
      for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
        const at = text.parentElement;
        if (text.data.trim() === "" || isHidden(at) || at.closest("button, select, option, svg")) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        for (const part of range.getClientRects()) parts.push([part, at]);
      }
      for (const at of tile.querySelectorAll("button:not(.hit, .more), input:not(.hit), select, .more svg, .ground"))
        if (getComputedStyle(at).opacity !== "0") parts.push([at.getBoundingClientRect(), at]);
      if (group.matches(".sheet")) parts.splice(0, parts.length, ...parts.filter(([, at]) => !at.closest("header")));
      for (const [place, [part, at]] of parts.entries()) {
        const out = Math.max(box.left - part.left, part.right - box.right);
        if (out > 1) faults.push("leaves its tile by " + out + ": " + name(at));
        for (const [second, other] of parts.slice(place + 1))
          if (at !== other && !at.contains(other) && !other.contains(at) && meet(part, second) > 3)
            faults.push("lies on another: " + name(at) + " | " + other.outerHTML.slice(0, 100));
      }
    }
  }
  return faults;
})()`;
