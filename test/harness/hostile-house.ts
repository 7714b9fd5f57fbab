/** A device whose titles, labels and states try to break the page: HTML, 4 KB, bidirectional controls, emoji. */
export const evilWords = [
  `<img src=x onerror="document.title='broken'">`,
  "</script><script>document.title='broken'</script>",
  "\u202egnp.exe \u2067right to left\u2069",
  "&amp;<b>bold</b>{{7*7}}<svg onload=alert(1)>",
  "\u{1f468}\u200d\u{1f469} \u{1f525}\u{1f3f4}\u200d\u2620\ufe0f e\u0301\u0302\u0303\u0304\u0305\u0306\u0307",
  "x".repeat(4_000),
] as const;

function hostileNoun(text: string) {
  const words = { title: text, description: text, labels: { [text]: text } };
  return {
    kind: "value",
    title: text,
    description: text.slice(0, 200),
    default: { text, choice: text },
    shape: {
      text: { type: "string", ...words, unit: text.slice(0, 20) },
      choice: { type: "choice", values: [text, "other", null], ...words },
    },
  };
}

/** Its configuration, without an address. */
export const hostileHouse = {
  title: evilWords[0],
  nouns: {
    ...Object.fromEntries(evilWords.map((text, index) => [`evil${index}`, hostileNoun(text)])),
    contact: {
      kind: "gpio-input",
      chip: "gpiochip0",
      offset: 1,
      key: "it",
      group: evilWords[1],
      labels: { it: { "0": evilWords[2] } },
    },
  },
};
