/** The simulated twin of `nound:registers`. */
import { placeForm, placeWords, type Registers } from "../registers.ts";
import { byteLength } from "./modules/utf8.ts";

function numberAt(bytes: string, at: number, form: number): number {
  const register = (index: number) => {
    const [first, second] = [bytes.charCodeAt(index), bytes.charCodeAt(index + 1)];
    return (form & placeForm.swapped) === 0 ? first * 256 + second : second * 256 + first;
  };
  const isLong = (form & placeForm.long) !== 0;
  const words = isLong ? [register(at), register(at + 2)] : [register(at)];
  if ((form & placeForm.lowFirst) !== 0) words.reverse();
  const number = words.reduce((sum, word) => sum * 65_536 + word, 0);
  const range = isLong ? 2 ** 32 : 65_536;
  return (form & placeForm.signed) !== 0 && number >= range / 2 ? number - range : number;
}

/** Takes texts off a text by their length in bytes. */
class Texts {
  private readonly characters: readonly string[];
  private next = 0;

  constructor(text: string) {
    this.characters = [...text];
  }

  take(length: number): string {
    const from = this.next;
    for (let bytes = 0; bytes < length; this.next++) {
      const character = this.characters[this.next];
      if (character === undefined) throw new RangeError("the places are beyond the text");
      bytes += byteLength(character);
    }
    return this.characters.slice(from, this.next).join("");
  }

  rest(): string {
    return this.characters.slice(this.next).join("");
  }
}

export const simulatedRegisters: Registers = {
  write(texts, places, sources, others) {
    const words = new Uint16Array(places);
    const left = new Texts(texts);
    let text = "";
    for (let index = 0; index < words.length; index += placeWords) {
      const [before = 0, source = 0, at = 0, form = 0] = words.subarray(index, index + placeWords);
      text += left.take(before);
      const bytes = sources[source] ?? "";
      const end = at + ((form & placeForm.long) === 0 ? 2 : 4);
      if ((form & placeForm.text) !== 0) text += others[at];
      else if (end > bytes.length) text += others[0];
      else text += numberAt(bytes, at, form) / 10 ** ((form >> placeForm.decimals) & 3);
    }
    return text + left.rest();
  },
};
