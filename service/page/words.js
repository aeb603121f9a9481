// The words of a search: folded alike in every script, and where in a document they occur.
{
  const parts = globalThis[Symbol.for("ghostlight.parts")];
  const { see, isText } = parts;
  const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
  const FILLERS = new Set(["the", "a", "an", "to", "for", "of", "in", "on", "with", "and", "that", "this"]);
  // One bit each.
  const WORDS = 24;
  const ALL = 2 ** WORDS - 1;
  const FIELDS = new Set(["input", "select", "textarea", "meter", "progress", "output"]);
  // Accents and points that people leave out when they write: Latin, Greek and Cyrillic, Hebrew, Arabic; and marks without width.
  const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\ufe0e\ufe0f\u00ad\u200b]/g;
  const isAscii = (text) => !/[^\0-\x7f]/.test(text);

  // What looks or sounds the same becomes the same: width, case, ligatures, accents.
  function folded(text) {
    if (isAscii(text)) return text.toLowerCase();
    const bare = text.normalize("NFKD").replace(MARKS, "").normalize("NFKC");
    return bare.toUpperCase().toLowerCase().replaceAll("ς", "σ");
  }

  const fold = (text) => parts.flat(folded(text));

  const isWord = ({ isWordLike, segment }) => isWordLike || /\p{Extended_Pictographic}/u.test(segment);

  function tokens(text) {
    return [...segmenter.segment(text)].filter(isWord).map((piece) => piece.segment);
  }

  function query(text) {
    const whole = fold(text);
    const all = tokens(whole);
    const telling = all.filter((word) => !FILLERS.has(word));
    const chosen = telling.length > 0 ? telling : all;
    return { whole, tokens: (chosen.length > 0 ? chosen : [whole]).slice(0, WORDS) };
  }

  // Which of the words an element itself may be known by: its own text and attributes, and all of them where that is not enough.
  function ownBits(element, wanted) {
    const { localName } = see(element);
    if (FIELDS.has(localName)) return ALL;
    let text = localName === "svg" ? element.textContent : "";
    for (let node = see(element).firstChild; node; node = see(node).nextSibling) if (isText(node)) text += node.data;
    const { attributes } = see(element);
    for (let at = 0; at < attributes.length; at += 1) {
      if (attributes[at].name === "aria-labelledby") return ALL;
      text += ` ${attributes[at].value}`;
    }
    const plain = folded(text);
    return wanted.reduce((bits, word, n) => (plain.includes(word) ? bits | (1 << n) : bits), 0);
  }

  // For each of the elements the words that occur in or below it or in its labels, as bits. `above` are the places of the parents.
  function occurrences(wanted, elements, above) {
    const bits = new Uint32Array(elements.length);
    for (let at = elements.length - 1; at >= 0; at -= 1) {
      bits[at] |= ownBits(elements[at], wanted);
      if (above[at] >= 0) bits[above[at]] |= bits[at];
    }
    return bits;
  }

  const occursAnywhere = (wanted) => {
    const all = folded(see(document).documentElement.textContent);
    return wanted.some((word) => all.includes(word));
  };

  Object.assign(parts, { fold, folded, tokens, query, occurrences, occursAnywhere });
}
